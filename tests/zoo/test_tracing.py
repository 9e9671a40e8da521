from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam.errors import ModelError
from rsi_gradcam.zoo import spatial_layers
from rsi_gradcam.zoo.tracing import output_of
from tests.networks import Residual


class ChannelsLast(nn.Module):
    def forward(self, x):
        return x.movedim(1, -1)


class TwoWays(nn.Sequential):
    def forward(self, x):
        return self[0](x) + self[1](x)


def sensible(network, size=(16, 16)):
    return [layer.name for layer in spatial_layers(network.eval(), size) if layer.makes_sense]


def test_links_of_the_chain_make_sense_and_parts_of_a_block_do_not():
    layers = {layer.name: layer for layer in spatial_layers(Residual().eval(), (16, 16))}
    assert layers["stage1"].makes_sense
    assert layers["stem.0"].makes_sense
    assert not layers["stage1.conv1"].makes_sense
    assert layers["stage2"].shape == (8, 8, 8)
    assert layers["stage1.conv1"].kind == "Conv2d"


def test_pooled_and_flat_outputs_are_no_spatial_layers():
    assert "pool" not in {layer.name for layer in spatial_layers(Residual().eval(), (16, 16))}
    assert sensible(Residual())[-1] == "stage2"


def test_channels_last_is_no_spatial_layer():
    network = nn.Sequential(nn.Conv2d(3, 5, 3), ChannelsLast(), nn.Flatten(), nn.Linear(5 * 14 * 14, 2))
    assert sensible(network) == ["0"]


def test_a_sequential_that_runs_its_own_way_is_a_block():
    network = nn.Sequential(TwoWays(nn.Conv2d(3, 3, 1), nn.Conv2d(3, 3, 1)), nn.Flatten())
    assert sensible(network) == ["0"]


def test_a_wrapped_network_falls_back_to_all_layers_before_the_head():
    class Wrapper(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = Residual()

        def forward(self, x):
            return self.body(x)

    assert "body.stage2" in sensible(Wrapper())


def test_the_pass_leaves_no_hooks_and_no_gradients_behind():
    network = Residual().eval()
    spatial_layers(network, (16, 16))
    assert not any(module._forward_hooks for module in network.modules())
    assert all(parameter.grad is None for parameter in network.parameters())


def test_half_precision_networks_are_traced_in_theirs():
    network = nn.Sequential(nn.Conv2d(3, 2, 3), nn.Flatten()).to(torch.bfloat16)
    assert sensible(network) == ["0"]


def test_a_network_that_fails_is_told_in_one_line():
    network = nn.Sequential(nn.Conv2d(3, 2, 3), nn.Flatten(), nn.Linear(7, 2))
    with pytest.raises(ModelError, match=r"does not run on a photo of 16×16 \(.*\): give the Preprocess") as caught:
        output_of(network, (16, 16))
    assert "\n" not in str(caught.value)


def test_a_network_without_scores_is_refused():
    with pytest.raises(ModelError, match=r"gives \(1, 2, 14, 14\), a classifier gives one score for each class"):
        output_of(nn.Conv2d(3, 2, 3), (16, 16))
