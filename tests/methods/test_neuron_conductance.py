from __future__ import annotations

import math

import pytest
import torch
from captum.attr import NeuronConductance as ReferenceNeuronConductance
from torch import nn

from rsi_gradcam import Logit, explain, explain_all
from rsi_gradcam.methods import NeuronConductance
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.along_path import neuron_conductance, summed_over_channels
from tests.oracles.network import probability

UNIT = (2, 3, 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("kind", "layer"), [("plain", "features.2"), ("residual", "stage1.conv2")])
def test_it_is_the_formula_as_loops(kind, layer, rule):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, layer, NeuronConductance(UNIT, rule), [1, 3], baseline, steps=3)
    for row, index in enumerate((1, 3)):
        expected = neuron_conductance(model, x[row], baseline, layer, UNIT, probability(index), 3, rule)
        agree(found.raw[row], summed_over_channels(expected))


def test_two_units_by_hand():
    """y = 3 a_0 + 5 a_1 with a = 2 x: the score flows through the unit of its own pixel alone."""
    model = nn.Sequential(nn.Conv2d(1, 1, 1, bias=False), nn.Flatten(), nn.Linear(2, 1, bias=False))
    nn.init.constant_(model[0].weight, 2.0)
    model[2].load_state_dict({"weight": torch.tensor([[3.0, 5.0]])})
    x, black = torch.tensor([[[[1.0, 10.0]]]]), torch.zeros(1, 1, 2)
    found = explain(model, x, "0", NeuronConductance((0, 0, 1)), Logit(0), black, steps=1)
    assert found.raw.tolist() == [[[0.0, 100.0]]]
    assert math.isnan(found.residual.item())  # one unit's share is not the whole


def test_the_conductances_of_all_units_add_up_to_integrated_gradients():
    model, x = network("smooth"), images(1)
    units = [(k, i, j) for k in range(6) for i in range(4) for j in range(4)]
    methods = [NeuronConductance(unit) for unit in units]
    found = explain_all(model, x, ["tanh2"], [*methods, "integrated_gradients"], 1, zeros(), steps=4)
    total = sum(found[method, "tanh2"].raw for method in methods)
    agree(total, found["integrated_gradients", "input"].raw, 1e-10)


@pytest.mark.parametrize(("rule", "method"), [("left", "riemann_left"), ("right", "riemann_right")])
def test_it_is_captums(rule, method):
    model, x = network("plain"), images(2)
    reference = ReferenceNeuronConductance(model, model.features[2])
    expected = reference.attribute(x, UNIT, zeros()[None], target=[1, 3], n_steps=7, method=method).sum(1)
    found = explain(model, x, "features.2", NeuronConductance(UNIT, rule), Logit((1, 3)), zeros(), steps=7)
    agree(found.raw, expected.detach(), 1e-6)
