from __future__ import annotations

import warnings

import pytest
import torch
from captum.attr import GuidedBackprop, LayerAttribution, LayerGradCam
from torch import nn

from rsi_gradcam import Logit, explain
from rsi_gradcam.errors import TargetError
from rsi_gradcam.methods import GuidedGradCAM
from tests.agreement import agree
from tests.networks import LAST, images, network
from tests.oracles.at_image import grad_cam_weights, rectified, weighted_sum
from tests.oracles.network import copy_of, logit, see
from tests.oracles.pixels import bilinear


class Guided(torch.autograd.Function):
    """ReLU whose way back lets only positive gradients through, and only where the forward was open."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient.clamp(min=0) * (x > 0)


class GuidedReLU(nn.Module):
    def forward(self, x):
        return Guided.apply(x)


def guided_backpropagation(model, image, index):
    copy = copy_of(model)
    for name, module in list(copy.named_modules()):
        if isinstance(module, nn.ReLU):
            parent, _, child = name.rpartition(".")
            setattr(copy.get_submodule(parent), child, GuidedReLU())
    x = image[None].clone().requires_grad_()
    copy(x)[0, index].backward()
    return x.grad[0]


@pytest.mark.parametrize(
    ("kind", "layer"),
    [
        ("pooled", "relu2"),
        ("plain", "features.2"),
        ("plain", "features.5"),
        ("shared_relu", "conv2"),
        ("residual", "stage2"),
    ],
)
def test_it_is_the_formula_as_loops(kind, layer):
    model, x = network(kind), images(2)
    found = explain(model, x, layer, "guided_grad_cam", Logit((1, 3)))
    for row, index in enumerate((1, 3)):
        seen = see(model, x[row], layer, logit(index))
        L = bilinear(rectified(weighted_sum(grad_cam_weights(seen), seen)), 16, 16)
        L = torch.tensor(L, dtype=torch.float64)
        agree(found.raw[row], guided_backpropagation(model, x[row], index).sum(0) * L)


@pytest.mark.parametrize("kind", ["pooled", "plain"])
def test_it_is_captums_guided_backpropagation_times_captums_grad_cam(kind):
    model, x, layer = network(kind), images(2), LAST[kind]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Setting backward hooks on ReLU")
        guided = GuidedBackprop(model).attribute(x.clone().requires_grad_(), target=[1, 3]).detach()
    L = LayerGradCam(model, model.get_submodule(layer)).attribute(x, target=[1, 3], relu_attributions=True).detach()
    upsampled = LayerAttribution.interpolate(L, (16, 16), interpolate_mode="bilinear")
    agree(explain(model, x, layer, "guided_grad_cam", Logit((1, 3))).raw, (guided * upsampled).sum(1), 1e-9)


def test_a_linear_network_by_hand():
    """y = 2 x_0 − x_1, A = x: Grad-CAM's weight is ½, its map (½, 2), times the gradient (2, −1)."""
    model = nn.Sequential(nn.Identity(), nn.Flatten(), nn.Linear(2, 1, bias=False))
    model[2].load_state_dict({"weight": torch.tensor([[2.0, -1.0]])})
    x = torch.tensor([[[[1.0, 4.0]]]])
    assert explain(model, x, "0", "guided_grad_cam", Logit(0)).raw.tolist() == [[[1.0, -2.0]]]
    assert GuidedGradCAM().shown(torch.tensor([1.0, -2.0])).tolist() == [1.0, 2.0]


def test_where_grad_cam_is_dark_it_is_too():
    model, x = network("plain"), images(4)
    found = explain(model, x, "features.0", "guided_grad_cam", Logit(1))
    L = explain(model, x, "features.0", "grad_cam", Logit(1)).raw
    assert (L == 0).any()
    assert (found.raw[L == 0] == 0).all()


def test_a_target_without_a_class_is_refused():
    with pytest.raises(TargetError, match="class"):
        explain(network("plain"), images(1), "features.5", "guided_grad_cam", lambda output: output[:, 0])


def test_its_hooks_disturb_no_other_explanation_of_the_model():
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    model, x, stop = network("plain"), images(1), Event()
    wanted = explain(model, x, LAST["plain"], "rsi_grad_cam", 1, torch.zeros(3, 16, 16), steps=4)

    def guided():
        while not stop.is_set():
            explain(model, x, LAST["plain"], "guided_grad_cam", 1)

    with ThreadPoolExecutor(1) as other:
        running = other.submit(guided)
        try:
            for _ in range(60):
                found = explain(model, x, LAST["plain"], "rsi_grad_cam", 1, torch.zeros(3, 16, 16), steps=4)
                assert torch.equal(found.raw, wanted.raw)
        finally:
            stop.set()
        running.result()


def test_a_model_that_holds_its_logits_in_something_is_no_hindrance():
    from types import SimpleNamespace

    class Holding(nn.Module):
        def __init__(self):
            super().__init__()
            self.network = network("plain")

        def forward(self, x):
            return SimpleNamespace(logits=self.network(x))

    found = explain(Holding(), images(1), f"network.{LAST['plain']}", "guided_grad_cam", 1)
    assert torch.equal(found.raw, explain(network("plain"), images(1), LAST["plain"], "guided_grad_cam", 1).raw)
