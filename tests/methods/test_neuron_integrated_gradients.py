from __future__ import annotations

import pytest
import torch
from captum.attr import NeuronIntegratedGradients as ReferenceNeuronIntegratedGradients
from torch import nn

from rsi_gradcam import explain
from rsi_gradcam.errors import TargetError
from rsi_gradcam.methods import NeuronIntegratedGradients
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.along_path import neuron_integrated_gradients, summed_over_channels

UNIT = (2, 3, 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("kind", "layer"), [("plain", "features.2"), ("residual", "stage1.conv2")])
def test_it_is_the_formula_as_loops(kind, layer, rule):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, layer, NeuronIntegratedGradients(UNIT, rule), None, baseline, steps=3)
    for row in (0, 1):
        expected = neuron_integrated_gradients(model, x[row], baseline, layer, UNIT, 3, rule)
        agree(found.raw[row], summed_over_channels(expected))


def test_a_convolution_by_hand():
    """A 1×1 convolution that doubles: the unit at (0, 0, 1) sees its own pixel alone."""
    model = nn.Sequential(nn.Conv2d(1, 1, 1, bias=False), nn.Flatten())
    nn.init.constant_(model[0].weight, 2.0)
    x = torch.tensor([[[[5.0, 3.0]]]])
    found = explain(model, x, "0", NeuronIntegratedGradients((0, 0, 1)), None, torch.ones(1, 1, 2), steps=1)
    assert found.raw.tolist() == [[[0.0, 4.0]]]
    assert (found.score.item(), found.baseline_score.item()) == (6.0, 2.0)


def test_the_map_adds_up_to_the_change_of_the_unit():
    found = explain(
        network("smooth"), images(2), "tanh2", NeuronIntegratedGradients(UNIT), baseline=zeros(), steps=200
    )
    agree(found.raw.sum((1, 2)), found.score - found.baseline_score, 1e-4)
    assert found.residual.abs().max() < 1e-4


def test_it_is_captums():
    model, x = network("plain"), images(2)
    reference = ReferenceNeuronIntegratedGradients(model, model.features[2])
    expected = reference.attribute(x, UNIT, zeros()[None], n_steps=7, method="riemann_right").sum(1)
    found = explain(model, x, "features.2", NeuronIntegratedGradients(UNIT, "right"), None, zeros(), steps=7)
    agree(found.raw, expected.detach(), 1e-6)


@pytest.mark.parametrize("unit", [(8, 0, 0), (0, 4, 0), (0, 0, -1)])
def test_a_unit_that_is_not_there_is_refused_with_the_layers_shape(unit):
    with pytest.raises(TargetError, match=r"\(8, 4, 4\)"):
        explain(network("plain"), images(1), "features.5", NeuronIntegratedGradients(unit), None, zeros(), steps=2)
