from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import GradCAM, Logit, explain
from rsi_gradcam.errors import LayerError, TargetError
from tests.agreement import agree
from tests.networks import images, network
from tests.oracles.at_image import weighted_sum
from tests.oracles.network import logit, see


def test_it_is_the_formula_as_loops():
    model, x = network("pooled"), images(2)
    found = explain(model, x, "relu2", "cam", target=[1, 3])
    for row, index in enumerate((1, 3)):
        seen = see(model, x[row], "relu2", logit(index))
        agree(found.signed[row], weighted_sum(model.head.weight[index].tolist(), seen))


def test_two_channels_by_hand():
    model = nn.Sequential(nn.Identity(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2, 2))
    model[3].load_state_dict({"weight": torch.tensor([[1.0, -2.0], [0.0, 3.0]]), "bias": torch.tensor([5.0, 6.0])})
    x = torch.tensor([[[[1.0, 4.0]], [[1.0, 1.0]]]])
    assert explain(model, x, "0", "cam", target=0).signed.tolist() == [[[-1.0, 2.0]]]
    assert explain(model, x, "0", "cam", target=1).signed.tolist() == [[[3.0, 3.0]]]


@pytest.mark.parametrize(("kind", "layer"), [("pooled", "relu2"), ("residual", "stage2"), ("depthwise", "point")])
def test_it_is_grad_cam_of_the_logit_times_the_number_of_units(kind, layer):
    model, x = network(kind), images(2)
    cam, grad_cam = (explain(model, x, layer, method, Logit((1, 3))) for method in ("cam", GradCAM()))
    agree(cam.raw, grad_cam.raw * 64)


@pytest.mark.parametrize("layer", ["relu1", "second"])
def test_a_layer_that_the_head_does_not_stand_on_is_refused(layer):
    with pytest.raises(LayerError, match="global average"):
        explain(network("pooled"), images(1), layer, "cam", 1)


def test_a_network_with_tiny_outputs_is_no_excuse():
    model = network("pooled")
    with torch.no_grad():
        model.head.weight *= 1e-4
        model.head.bias *= 1e-4
    with pytest.raises(LayerError, match="global average"):
        explain(model, images(1), "relu1", "cam", 1)


def test_a_network_with_hidden_linear_layers_is_refused():
    with pytest.raises(LayerError, match="grad_cam"):
        explain(network("plain"), images(1), "features.5", "cam", 1)


def test_a_target_without_a_class_is_refused():
    with pytest.raises(TargetError, match="class"):
        explain(network("pooled"), images(1), "relu2", "cam", lambda output: output[:, 0])
