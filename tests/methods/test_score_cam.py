from __future__ import annotations

import contextlib
import os

import pytest
import torch
from pytorch_grad_cam import ScoreCAM as ReferenceScoreCAM
from torch import nn

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import ScoreCAM
from tests.agreement import agree
from tests.methods.pytorch_grad_cam_maps import layer_map
from tests.networks import LAST, Counting, images, network
from tests.oracles.at_image import weighted_sum
from tests.oracles.network import copy_of, probability, see
from tests.oracles.pixels import bilinear, normalised


@pytest.mark.parametrize("kind", ["plain", "pooled"])
def test_it_is_the_formula_as_loops(kind):
    model, x, layer = network(kind), images(1), LAST[kind]
    seen = see(model, x[0], layer, probability(1))
    scores = []
    for channel in seen.A:
        mask = torch.tensor(bilinear(channel, 16, 16), dtype=torch.float64)
        H = torch.tensor(normalised(mask.tolist()), dtype=torch.float64)
        scores.append(torch.softmax(copy_of(model)((x[0] * H)[None]), 1)[0, 1].item())
    exponents = [torch.tensor(score, dtype=torch.float64).exp().item() for score in scores]
    weights = [value / sum(exponents) for value in exponents]
    agree(explain(model, x, layer, "score_cam", 1).signed[0], weighted_sum(weights, seen))


def test_two_channels_by_hand():
    """y is the sum of what is left of the image; channel 0 shows all of its right half, channel 1 nothing."""
    model = nn.Sequential(nn.Conv2d(1, 2, 1, bias=False), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    nn.init.constant_(model[0].weight[0], 2.0)
    nn.init.constant_(model[0].weight[1], 0.0)
    x = torch.tensor([[[[0.0, 1.0]]]])
    found = explain(model, x, "0", "score_cam", Logit(0))
    # masked images: (0, 1) with y = 1, and (0, 0) with y = 0; w_0 = e / (e + 1); A = (0, 2) and (0, 0)
    assert found.signed.flatten().tolist() == pytest.approx([0.0, 2 * 2.718281828 / 3.718281828])


def test_the_weights_add_up_to_one():
    model, x = network("plain"), images(2)
    seen = {}
    real = ScoreCAM.weights

    class Spied(ScoreCAM):
        def weights(self, scene):
            seen["w"] = real(self, scene)
            return seen["w"]

    explain(model, x, "features.5", Spied(), [1, 2])
    agree(seen["w"].sum(1), [1.0, 1.0])


def test_it_says_how_many_passes_it_took():
    model, x = Counting(network("plain")), images(1)
    found = explain(model, x, "network.features.5", "score_cam", 1)
    assert found.passes.tolist() == [model.images] == [9]


def test_it_is_pytorch_grad_cams_where_nothing_is_upsampled():
    model, x = network("plain", dtype=torch.float32), images(2, dtype=torch.float32)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stderr(nowhere), torch.no_grad():  # noqa: PTH123
        expected = layer_map(ReferenceScoreCAM, model, model.features[1], x, (1, 3))
    agree(explain(model, x, "features.1", "score_cam", target=Logit((1, 3))).signed, expected, 1e-4)
