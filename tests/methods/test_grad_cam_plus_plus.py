from __future__ import annotations

import pytest
import torch
from pytorch_grad_cam import GradCAMPlusPlus as ReferenceGradCAMPlusPlus

from rsi_gradcam import Logit, explain
from rsi_gradcam.methods import GradCAMPlusPlus
from tests.agreement import agree
from tests.methods.pytorch_grad_cam_maps import layer_map
from tests.networks import LAST, Scaled, images, network
from tests.oracles.at_image import grad_cam_plus_plus_weights, weighted_sum
from tests.oracles.network import logit, see


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
def test_it_is_the_formula_as_loops(kind):
    model, x = network(kind), images(2)
    found = explain(model, x, LAST[kind], "grad_cam_plus_plus", target=Logit((1, 3)))
    for row, index in enumerate((1, 3)):
        seen = see(model, x[row], LAST[kind], logit(index))
        weights = grad_cam_plus_plus_weights(seen)
        agree(found.weights[row], weights, 1e-9)
        agree(found.signed[row], weighted_sum(weights, seen), 1e-9)


def test_one_channel_by_hand():
    A = torch.tensor([[[[1.0, 3.0]]]])
    G = torch.tensor([[[[2.0, 0.0]]]])  # a = 4 / (8 + 4 · 8) = 0.1 and 0, w = 0.1 · 2
    assert GradCAMPlusPlus().weights(A, G).item() == pytest.approx(0.2)
    assert GradCAMPlusPlus().localize(A, G).flatten().tolist() == pytest.approx([0.2, 0.6])


def test_how_negative_a_negative_gradient_is_does_not_matter():
    A, G = torch.rand(1, 3, 4, 4), torch.randn(1, 3, 4, 4)
    steeper = torch.where(G < 0, 3 * G, G)
    assert torch.allclose(GradCAMPlusPlus().weights(A, G), GradCAMPlusPlus().weights(A, steeper))


def test_it_is_pytorch_grad_cams_but_for_its_epsilon():
    model, x = Scaled(network("pooled"), 300.0), images(2)  # gradients at which its ε of 1e-6 is small
    found = explain(model, x, "network.relu1", "grad_cam_plus_plus", target=Logit((1, 3)))
    agree(found.signed, layer_map(ReferenceGradCAMPlusPlus, model, model.network.relu1, x, (1, 3)), 1e-4)
