from __future__ import annotations

import pytest
import torch
from captum.attr import IntegratedGradients as ReferenceIntegratedGradients
from torch import nn

from rsi_gradcam import IntegratedGradients, Logit, explain
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.along_path import integrated_gradients, summed_over_channels
from tests.oracles.network import probability


@pytest.mark.parametrize("kind", ["plain", "residual", "shared_relu"])
@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule, kind):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, method=IntegratedGradients(rule), target=[1, 3], baseline=baseline, steps=4)
    assert found.layer == "input"
    for row, index in enumerate((1, 3)):
        expected = integrated_gradients(model, x[row], baseline, probability(index), 4, rule)
        agree(found.raw[row], summed_over_channels(expected))


def test_a_linear_network_by_hand():
    model = nn.Sequential(nn.Flatten(), nn.Linear(4, 1, bias=False))
    model[1].load_state_dict({"weight": torch.tensor([[1.0, -2.0, 0.0, 3.0]])})
    x = torch.tensor([[[[1.0, 1.0], [1.0, 2.0]]]])
    found = explain(model, x, "input", "integrated_gradients", Logit(0), torch.ones(1, 2, 2), steps=1)
    assert found.raw.tolist() == [[[0.0, 0.0], [0.0, 3.0]]]
    assert found.residual.item() == 0


@pytest.mark.parametrize("kind", ["smooth", "residual", "plain"])
def test_it_is_captums_where_both_have_converged(kind):
    model, x = network(kind), images(2)
    reference = ReferenceIntegratedGradients(model)
    expected = reference.attribute(x, zeros()[None], target=[1, 3], n_steps=500, method="gausslegendre").sum(1)
    found = explain(model, x, "input", "integrated_gradients", Logit((1, 3)), zeros(), steps=500)
    agree(found.raw, expected.detach(), 2e-5 if kind == "smooth" else 1e-2)  # at kinks both are rough


@pytest.mark.parametrize(
    ("rule", "method"), [("left", "riemann_left"), ("right", "riemann_right"), ("midpoint", "riemann_middle")]
)
def test_it_is_captums_step_for_step(rule, method):
    model, x = network("plain"), images(2)
    reference = ReferenceIntegratedGradients(model)
    expected = reference.attribute(x, zeros()[None], target=[1, 3], n_steps=7, method=method).sum(1)
    found = explain(model, x, "input", IntegratedGradients(rule), Logit((1, 3)), zeros(), steps=7)
    agree(found.raw, expected.detach(), 1e-6)  # Captum's α are float32


def test_the_map_adds_up_to_the_change_of_the_score():
    found = explain(network("smooth"), images(2), "input", "integrated_gradients", 1, zeros(), steps=400)
    agree(found.raw.sum((1, 2)), found.score - found.baseline_score, 1e-4)


def test_a_pixel_that_does_not_change_gets_nothing():
    x, baseline = images(1), images(1, seed=3)[0]
    baseline[:, 4, 5] = x[0, :, 4, 5]
    found = explain(network("plain"), x, "input", "integrated_gradients", 1, baseline, steps=4)
    assert found.raw[0, 4, 5] == 0
