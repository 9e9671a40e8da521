from __future__ import annotations

import pytest
import torch
from captum.attr import LayerGradCam
from pytorch_grad_cam import GradCAM as ReferenceGradCAM
from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

from rsi_gradcam import GradCAM, Logit, explain
from tests.agreement import agree
from tests.networks import LAST, images, network
from tests.oracles.at_image import grad_cam_weights, rectified, weighted_sum
from tests.oracles.network import logit, probability, see


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
def test_it_is_the_formula_as_loops(kind, positive):
    model, x = network(kind), images(2)
    found = explain(model, x, LAST[kind], GradCAM(positive), target=[1, 3])
    for row, index in enumerate((1, 3)):
        seen = see(model, x[row], LAST[kind], probability(index))
        weights = grad_cam_weights(seen, positive=positive)
        agree(found.weights[row], weights)
        agree(found.signed[row], weighted_sum(weights, seen))
        agree(found.raw[row], rectified(weighted_sum(weights, seen)))
        assert found.score[row].item() == pytest.approx(seen.y, rel=1e-12)


def test_two_channels_by_hand():
    A = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]], [[10.0, 0.0], [0.0, 20.0]]]])
    G = torch.tensor([[[[1.0, 1.0], [1.0, -1.0]], [[-2.0, 0.0], [0.0, 1.0]]]])
    assert GradCAM().weights(A, G).tolist() == [[0.5, -0.25]]
    assert GradCAM().localize(A, G).tolist() == [[[-2.0, 1.0], [1.5, -3.0]]]
    assert GradCAM(positive=True).weights(A, G).tolist() == [[0.75, 0.25]]


def test_where_in_its_channel_a_gradient_lies_does_not_matter():
    A, G = torch.randn(1, 3, 4, 4), torch.randn(1, 3, 4, 4)
    moved = G.flatten(2)[..., torch.randperm(16)].view_as(G)
    assert torch.allclose(GradCAM().localize(A, G), GradCAM().localize(A, moved), atol=1e-6)


@pytest.mark.parametrize("kind", ["plain", "residual", "pooled"])
def test_it_is_captums_layer_grad_cam(kind):
    model, x = network(kind), images(3)
    reference = LayerGradCam(model, model.get_submodule(LAST[kind]))
    expected = reference.attribute(x, target=[0, 1, 2], relu_attributions=True)[:, 0]
    agree(explain(model, x, LAST[kind], "grad_cam", target=Logit((0, 1, 2))).raw, expected.detach())


def test_it_is_pytorch_grad_cams():
    model, x = network("pooled", dtype=torch.float32), images(2, dtype=torch.float32)
    with ReferenceGradCAM(model, [model.relu1]) as reference:
        expected = reference(x, [ClassifierOutputTarget(c) for c in (1, 3)])
        layer_size = reference.compute_cam_per_layer(x[..., :8, :8], None, eigen_smooth=False)[0][:, 0]
    found = explain(model, x, "relu1", "grad_cam", target=Logit((1, 3)))
    assert expected.shape == found.heatmap.shape
    agree(found.normalised, layer_size, 1e-5)


def test_what_the_oracle_saw_is_the_logit_when_that_is_asked_for():
    model, x = network("plain"), images(1)
    seen = see(model, x[0], "features.5", logit(2))
    agree(explain(model, x, "features.5", "grad_cam", Logit(2)).signed[0], weighted_sum(grad_cam_weights(seen), seen))
