from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import explain, explain_all
from rsi_gradcam.capture import trace
from tests.agreement import agree
from tests.networks import CUTS, images, network, zeros
from tests.oracles.along_path import summed_over_channels, unit_integrals, walk
from tests.oracles.network import probability


class GradWatching(nn.Module):
    """Passes on its input and keeps whether autograd was watching, and whether the input had a graph."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def forward(self, x):
        self.seen.append((torch.is_grad_enabled(), x.requires_grad))
        return x


@pytest.mark.parametrize("method", ["rsi_grad_cam", "grad_cam", "layer_integrated_gradients"])
def test_below_the_earliest_layer_there_is_no_graph_at_all(method):
    model = network("plain")
    below, above = GradWatching(), GradWatching()
    model.features = nn.Sequential(*model.features[:3], below, *model.features[3:5], above, model.features[5])
    explain_all(model, images(2), ["features.4", "features.7"], [method], 1, zeros(), steps=2)
    assert below.seen
    assert below.seen == [(False, False)] * len(below.seen)
    assert (True, True) in above.seen


def test_with_frozen_parameters_a_parallel_branch_has_gradients_of_its_own():
    model = network("parallel").requires_grad_(False)
    found = explain(model, images(2), ["left", "right"], "rsi_hires_cam", [1, 3], zeros(), steps=4)
    for layer, each in zip(("left", "right"), found, strict=True):
        for row, index in enumerate((1, 3)):
            seen = walk(model, images(2)[row], zeros(), layer, probability(index), 4, "trapezoid")
            agree(each.signed[row], summed_over_channels(unit_integrals(seen, "trapezoid")))


class Detour(nn.Module):
    """A branch through a module that hands on its very input, beside one that does not."""

    def __init__(self, hands_on):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, 2, 1)
        self.hands_on = hands_on
        self.branch = nn.Conv2d(4, 4, 3, 1, 1)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        x = self.stem(x)
        return self.head((self.hands_on(x) + torch.tanh(self.branch(x))).mean((2, 3)))


@pytest.mark.parametrize("hands_on", [nn.Identity(), nn.Dropout(0.5), nn.Sequential(nn.Identity())])
@pytest.mark.parametrize("method", ["grad_cam", "rsi_hires_cam"])
def test_a_module_that_hands_on_its_very_input_has_its_own_gradient_beside_other_layers(method, hands_on):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Detour(hands_on).double().eval()
    x = images(2)
    alone = explain(model, x, "hands_on", method, 1, zeros(), steps=3)
    together = explain_all(model, x, ["stem", "hands_on"], [method], 1, zeros(), steps=3)
    agree(together[method, "hands_on"].signed, alone.signed, 1e-10)
    stem = explain(model, x, "stem", method, 1, zeros(), steps=3)
    agree(together[method, "stem"].signed, stem.signed, 1e-10)


def test_a_layer_inside_another_and_that_other_are_both_seen():
    model, x = network("plain"), images(2)
    found = explain(model, x, ["features.5", "features"], "rsi_hires_cam", 1, zeros(), steps=3)
    agree(found[0].signed, found[1].signed, 1e-12)


def test_a_tiny_gradient_does_not_underflow_inside_the_network():
    """In float32, a probability of which 1e-30 is missing, seen through weights of 1e-15, back through 1e15."""
    model = nn.Sequential(nn.Identity(), nn.Conv2d(1, 2, 1, bias=False), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    with torch.no_grad():
        model[1].weight.copy_(torch.tensor([1e-9, 0.0]).view(2, 1, 1, 1))
    x = torch.full((1, 1, 1, 2), 7e10)
    found = explain(model, x, "0", "grad_cam", 0)  # logits 70 and 0: v = 4e-31, times 1e-9 is 4e-40
    wide = explain(model.double(), x.double(), "0", "grad_cam", 0)
    assert wide.weights.item() > 0
    assert found.weights.item() == pytest.approx(wide.weights.item(), rel=0.01)


def test_a_networks_layers_are_traced_in_the_order_in_which_they_run():
    model = network("shared_relu")
    found = {each.name: each for each in trace(model, images(1))}
    assert list(found) == ["conv1", "relu", "conv2", "head"]
    assert found["relu"].calls == 2
    assert found["conv2"].shape == (8, 4, 4)
    assert [name for name, each in found.items() if each.carries_a_map] == ["conv1", "conv2"]


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise"])
def test_memory_format_does_not_matter(kind):
    model, x = network(kind, dtype=torch.float32), images(2, dtype=torch.float32)
    layer = CUTS[kind][-1]
    wanted = explain(model, x, layer, "rsi_hires_cam", 1, zeros(torch.float32), steps=3).signed
    inner = x.contiguous(memory_format=torch.channels_last)
    last = explain(model.to(memory_format=torch.channels_last), inner, layer, "rsi_hires_cam", 1, zeros(), steps=3)
    assert (last.signed - wanted).abs().max() < 1e-5 * max(wanted.abs().max(), 1e-3)


def test_a_model_that_flattens_with_view_is_explained_in_float32():
    model, x = network("shared_relu", dtype=torch.float32), images(2, dtype=torch.float32)
    wanted = explain(network("shared_relu"), images(2), "conv2", "rsi_grad_cam", 1, zeros(), steps=3)
    found = explain(model, x, "conv2", "rsi_grad_cam", 1, zeros(), steps=3)
    agree(found.signed, wanted.signed, 1e-4)
