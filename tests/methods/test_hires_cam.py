from __future__ import annotations

import pytest
import torch
from pytorch_grad_cam import HiResCAM as ReferenceHiResCAM
from torch import nn

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import HiResCAM
from tests.agreement import agree
from tests.methods.pytorch_grad_cam_maps import layer_map
from tests.networks import LAST, images, network
from tests.oracles.at_image import hires_cam
from tests.oracles.network import probability, see


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
def test_it_is_the_formula_as_loops(kind):
    model, x = network(kind), images(2)
    found = explain(model, x, LAST[kind], "hires_cam", target=[1, 3])
    for row, index in enumerate((1, 3)):
        agree(found.signed[row], hires_cam(see(model, x[row], LAST[kind], probability(index))))
    assert torch.equal(found.raw, found.signed.relu())


def test_two_channels_by_hand():
    A = torch.tensor([[[[1.0, 2.0]], [[3.0, -1.0]]]])
    G = torch.tensor([[[[2.0, -1.0]], [[1.0, 1.0]]]])
    assert HiResCAM().localize(A, G).tolist() == [[[5.0, -3.0]]]


def test_without_biases_above_the_layer_the_map_adds_up_to_the_logit():
    model, x = network("shared_relu"), images(2)
    nn.init.zeros_(model.head.bias)
    found = explain(model, x, "conv2", "hires_cam", target=Logit(1))
    agree(found.signed.sum((1, 2)), model(x)[:, 1].detach())


def test_it_is_pytorch_grad_cams():
    model, x = network("pooled"), images(2)
    found = explain(model, x, "relu1", "hires_cam", target=Logit((1, 3)))
    agree(found.raw, layer_map(ReferenceHiResCAM, model, model.relu1, x, (1, 3)).clip(0))
