from __future__ import annotations

import pytest
import torch
from captum.attr import LayerConductance as ReferenceConductance

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import LayerConductance
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import LAST, images, network, zeros
from tests.oracles.along_path import summed_over_channels, unit_integrals, walk
from tests.oracles.network import probability


@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule):
    model, x, baseline = network("residual"), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, "stage2", LayerConductance(rule), [1, 3], baseline, steps=5)
    for row, index in enumerate((1, 3)):
        seen = walk(model, x[row], baseline, "stage2", probability(index), 5, rule)
        agree(found.raw[row], summed_over_channels(unit_integrals(seen, rule)))


def test_two_channels_by_hand():
    I = torch.tensor([[[[1.0, -2.0]], [[0.5, 0.5]]]])  # noqa: E741
    assert LayerConductance().localize(I, I, I).tolist() == [[[1.5, -1.5]]]
    assert LayerConductance().shown(torch.tensor([1.5, -1.5])).tolist() == [1.5, -1.5]  # shown with its sign


@pytest.mark.parametrize("steps", [1, 6, 13])
@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
def test_captums_is_its_left_sum(kind, steps):
    model, x = network(kind), images(3)
    reference = ReferenceConductance(model, model.get_submodule(LAST[kind]))
    expected = reference.attribute(x, zeros()[None], target=[0, 1, 2], n_steps=steps, method="riemann_trapezoid")
    found = explain(model, x, LAST[kind], LayerConductance("left"), Logit((0, 1, 2)), zeros(), steps=steps)
    agree(found.raw, expected.sum(1).detach(), 1e-6)  # Captum's α are float32


def test_through_a_softmax_captums_is_its_left_sum_too():
    model, x = network("plain"), images(2)
    wrapped = torch.nn.Sequential(model, torch.nn.Softmax(1))
    reference = ReferenceConductance(wrapped, model.features[5])
    expected = reference.attribute(x, zeros()[None], target=[1, 3], n_steps=9, method="riemann_trapezoid")
    found = explain(model, x, "features.5", LayerConductance("left"), [1, 3], zeros(), steps=9)
    agree(found.raw, expected.sum(1).detach(), 1e-6)


def test_swapping_image_and_baseline_turns_its_sign():
    model, x = network("plain"), images(2)
    there, back = (
        explain(model, a[None], "features.5", "layer_conductance", 1, b, steps=6)
        for a, b in ((x[0], x[1]), (x[1], x[0]))
    )
    agree(there.raw, -back.raw, 1e-12)
