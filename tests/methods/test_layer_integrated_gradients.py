from __future__ import annotations

import pytest
import torch
from captum.attr import LayerIntegratedGradients as ReferenceLayerIntegratedGradients
from torch import nn

from rsi_gradcam import IntegratedGradients, Logit, explain
from rsi_gradcam.methods import LayerConductance, LayerIntegratedGradients
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree, apart
from tests.networks import LAST, images, network, zeros
from tests.oracles.along_path import layer_integrated_gradients, summed_over_channels
from tests.oracles.network import probability


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule, kind):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, LAST[kind], LayerIntegratedGradients(rule), [1, 3], baseline, steps=4)
    for row, index in enumerate((1, 3)):
        expected = layer_integrated_gradients(model, x[row], baseline, LAST[kind], probability(index), 4, rule)
        agree(found.raw[row], summed_over_channels(expected))


def test_a_squared_layer_by_hand():
    """A = x², y = A: moving x, the left sum of two steps is Σ ΔA = 1. Moving A² gives the layer's own path."""

    class Squared(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Identity()

        def forward(self, x):
            return self.layer(x**2).flatten(1) ** 2

    x, black = torch.ones(1, 1, 1, 1, dtype=torch.float64), torch.zeros(1, 1, 1, dtype=torch.float64)
    # y = A². Along the image's path A is 0, 1/4, 1 with dy/dA = 2A: the left sum is 2·(1/4)·(3/4) = 3/8.
    moved_image = explain(Squared(), x, "layer", LayerConductance("left"), Logit(0), black, steps=2)
    assert moved_image.raw.item() == pytest.approx(3 / 8)
    # Along the layer's own path A is 0, 1/2, 1: the left sum is 2·(1/2)·(1/2) = 1/2.
    moved_layer = explain(Squared(), x, "layer", LayerIntegratedGradients("left"), Logit(0), black, steps=2)
    assert moved_layer.raw.item() == pytest.approx(1 / 2)


def test_it_is_integrated_gradients_of_the_network_above_the_layer():
    model, x = network("shared_relu"), images(2)
    with torch.no_grad():
        A, A0 = model.conv2(torch.relu(model.conv1(x))), model.conv2(torch.relu(model.conv1(zeros()[None])))

    class Above(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = model.head

        def forward(self, a):
            return self.head(torch.relu(a).flatten(1))

    whole = explain(model, x, "conv2", "layer_integrated_gradients", [1, 3], zeros(), steps=6)
    above = explain(Above(), A, "input", IntegratedGradients(), [1, 3], A0, steps=6)
    agree(whole.raw, above.raw, 1e-12)


@pytest.mark.parametrize(("rule", "method"), [("left", "riemann_left"), ("right", "riemann_right")])
@pytest.mark.parametrize(
    ("kind", "layer"), [("plain", "features.2"), ("residual", "stage1"), ("residual", "stage1.conv2")]
)
def test_it_is_captums_step_for_step(kind, layer, rule, method):
    model, x = network(kind), images(2)
    reference = ReferenceLayerIntegratedGradients(model, model.get_submodule(layer))
    expected = reference.attribute(x, zeros()[None], target=[1, 3], n_steps=7, method=method)
    found = explain(model, x, layer, LayerIntegratedGradients(rule), Logit((1, 3)), zeros(), steps=7)
    agree(found.raw, expected.sum(1).detach(), 1e-6)


def test_it_takes_another_path_than_layer_conductance():
    model, x = network("smooth"), images(1)
    straight, moved = (
        explain(model, x, "tanh2", method, 1, zeros(), steps=200)
        for method in ("layer_integrated_gradients", "layer_conductance")
    )
    assert apart(straight.raw, moved.raw) > 0.01
    agree(straight.raw.sum(), moved.raw.sum(), 1e-3)  # and yet both add up to the change of the score


@pytest.mark.parametrize("layer", ["stage1.conv1", "stage2"])
def test_it_is_complete_even_where_the_layer_is_no_cut(layer):
    found = explain(network("residual"), images(2), layer, "layer_integrated_gradients", 1, zeros(), steps=512)
    assert found.residual.abs().max() < 5e-3
    assert LAST["residual"] == "stage2"
