from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import IntegratedGradCAM, Logit, explain
from rsi_gradcam.methods.integrated_grad_cam import MapIntegral
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import LAST, images, network, zeros
from tests.oracles.along_path import integrated_grad_cam, walk
from tests.oracles.network import probability


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule, kind):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, LAST[kind], IntegratedGradCAM(rule), [1, 3], baseline, steps=4)
    for row, index in enumerate((1, 3)):
        seen = walk(model, x[row], baseline, LAST[kind], probability(index), 4, rule)
        if rule == "midpoint":
            seen = [*seen]  # ends and middles, as the rule takes them
        agree(found.raw[row], integrated_grad_cam(seen, rule))


def test_one_point_of_the_path_by_hand():
    A = torch.tensor([[[3.0, 1.0]], [[1.0, 1.0]]])
    A0 = torch.tensor([[[1.0, 1.0]], [[0.0, 2.0]]])
    G = torch.tensor([[[1.0, 1.0]], [[-3.0, 0.0]]])  # Σ_ij: 2 and −3; Δ: (2, 0) and (1, −1)
    assert MapIntegral().integrand(A, G, A0).tolist() == [[1.0, 3.0]]
    assert MapIntegral().integrand(A, -G, A0).tolist() == [[0.0, 0.0]]  # ReLU at each point


@pytest.mark.parametrize(
    ("rule", "expected"), [("right", 0.625), ("left", 0.375), ("trapezoid", 0.5), ("midpoint", 0.5)]
)
def test_a_linear_network_by_hand(rule, expected):
    """y = x, A = x, from 0 to 1 in four steps: M = Σ_l (1/4) (l/4), which is 10/16 for the right rule."""
    model = nn.Sequential(nn.Identity(), nn.Flatten())
    x = torch.ones(1, 1, 1, 1)
    found = explain(model, x, "0", IntegratedGradCAM(rule), Logit(0), torch.zeros(1, 1, 1), steps=4)
    assert found.raw.item() == pytest.approx(expected)


def test_no_place_is_negative_and_nothing_is_left_to_rectify():
    found = explain(network("smooth"), images(3), "tanh2", "integrated_grad_cam", None, zeros(), steps=6)
    assert found.signed.min() >= 0
    assert torch.equal(found.raw, found.signed)
