from __future__ import annotations

import pytest
import torch
from pytorch_grad_cam import XGradCAM as ReferenceXGradCAM

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import HiResCAM, XGradCAM
from tests.agreement import agree
from tests.methods.pytorch_grad_cam_maps import layer_map
from tests.networks import LAST, images, network
from tests.oracles.at_image import weighted_sum, x_grad_cam_weights
from tests.oracles.network import probability, see


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
def test_it_is_the_formula_as_loops(kind):
    model, x = network(kind), images(2)
    found = explain(model, x, LAST[kind], "x_grad_cam", target=[1, 3])
    for row, index in enumerate((1, 3)):
        seen = see(model, x[row], LAST[kind], probability(index))
        agree(found.weights[row], x_grad_cam_weights(seen), 1e-9)
        agree(found.signed[row], weighted_sum(x_grad_cam_weights(seen), seen), 1e-9)


def test_one_channel_by_hand():
    A = torch.tensor([[[[1.0, 3.0]]]])
    G = torch.tensor([[[[2.0, -1.0]]]])
    assert XGradCAM().weights(A, G).tolist() == [[-0.25]]
    assert XGradCAM().localize(A, G).tolist() == [[[-0.25, -0.75]]]


def test_a_channel_that_adds_up_to_zero_has_no_weight():
    A = torch.tensor([[[[1.0, -1.0]], [[0.0, 0.0]]]])
    assert XGradCAM().weights(A, torch.ones_like(A)).tolist() == [[0.0, 0.0]]


def test_its_map_adds_up_to_that_of_hires_cam():
    A, G = torch.rand(2, 3, 4, 4, dtype=torch.float64), torch.randn(2, 3, 4, 4, dtype=torch.float64)
    agree(XGradCAM().localize(A, G).sum((1, 2)), HiResCAM().localize(A, G).sum((1, 2)))


def test_it_is_pytorch_grad_cams_but_for_its_epsilon():
    model, x = network("pooled"), images(2)
    found = explain(model, x, "relu1", "x_grad_cam", target=Logit((1, 3)))
    agree(found.signed, layer_map(ReferenceXGradCAM, model, model.relu1, x, (1, 3)), 1e-6)
