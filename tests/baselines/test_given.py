from __future__ import annotations

import pytest
import torch

from rsi_gradcam import explain
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import images, network


@pytest.mark.parametrize("shape", [(3, 16, 16), (1, 3, 16, 16)])
def test_one_tensor_serves_all_images(shape):
    model, x, start = network("plain"), images(2), images(1, seed=5)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, start.view(shape), steps=3)
    agree(found.baseline_score, model(start).softmax(1)[0, 1].detach().expand(2), 1e-12)


def test_each_image_may_have_its_own():
    model, x, start = network("plain"), images(2), images(2, seed=5)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, start, steps=3)
    agree(found.baseline_score, model(start).softmax(1)[:, 1].detach(), 1e-12)
    for row in (0, 1):
        alone = explain(model, x[row : row + 1], "features.5", "rsi_grad_cam", 1, start[row], steps=3)
        agree(found.signed[row], alone.signed[0], 1e-12)


def test_another_dtype_is_brought_to_the_images():
    model, x, start = network("plain"), images(1), images(1, seed=5)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, start.float(), steps=3)
    agree(found.signed, explain(model, x, "features.5", "rsi_grad_cam", 1, start.float().double(), steps=3).signed)


@pytest.mark.parametrize("shape", [(3, 8, 8), (1, 16, 16), (3, 3, 16, 16), (16, 16), (1, 1, 3, 16, 16), ()])
def test_a_tensor_that_does_not_fit_is_refused_with_both_shapes(shape):
    with pytest.raises(BaselineError) as caught:
        explain(network("plain"), images(2), "features.5", "rsi_grad_cam", 1, torch.zeros(shape), steps=2)
    assert str(shape) in str(caught.value)
    assert "(2, 3, 16, 16)" in str(caught.value)


def test_a_baseline_that_wants_gradients_gets_none():
    model, x = network("plain"), images(1)
    start = torch.zeros(3, 16, 16, dtype=torch.float64, requires_grad=True)
    explain(model, x, "input", "integrated_gradients", 1, start, steps=2)
    assert start.grad is None


@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_a_baseline_made_in_inference_mode_will_do(method):
    model, x = network("plain"), images(1)
    with torch.inference_mode():
        start = torch.zeros(3, 16, 16, dtype=torch.float64)
        found = explain(model, x, "features.5", method, 1, start, steps=2)
    agree(found.signed, explain(model, x, "features.5", method, 1, start.clone(), steps=2).signed, 1e-12)
