from __future__ import annotations

import pytest
import torch
from pytorch_grad_cam import LayerCAM as ReferenceLayerCAM

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import HiResCAM, LayerCAM
from tests.agreement import agree
from tests.methods.pytorch_grad_cam_maps import layer_map
from tests.networks import LAST, images, network
from tests.oracles.at_image import layer_cam
from tests.oracles.network import probability, see


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "smooth"])
def test_it_is_the_formula_as_loops(kind):
    model, x = network(kind), images(2)
    found = explain(model, x, LAST[kind], "layer_cam", target=[1, 3])
    for row, index in enumerate((1, 3)):
        agree(found.signed[row], layer_cam(see(model, x[row], LAST[kind], probability(index))))
    assert torch.equal(found.raw, found.signed.relu())


def test_two_channels_by_hand():
    A = torch.tensor([[[[1.0, 2.0]], [[-3.0, 1.0]]]])
    G = torch.tensor([[[[2.0, -1.0]], [[1.0, 5.0]]]])
    assert LayerCAM().localize(A, G).tolist() == [[[-1.0, 5.0]]]


def test_where_no_gradient_is_negative_it_is_hires_cam():
    A, G = torch.randn(2, 3, 4, 4), torch.rand(2, 3, 4, 4)
    assert torch.equal(LayerCAM().localize(A, G), HiResCAM().localize(A, G))


def test_it_is_pytorch_grad_cams():
    model, x = network("pooled"), images(2)
    found = explain(model, x, "first", "layer_cam", target=Logit((1, 3)))
    agree(found.signed, layer_map(ReferenceLayerCAM, model, model.first, x, (1, 3)))
