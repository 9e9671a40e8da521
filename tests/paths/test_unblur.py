from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Blur, Unblur, explain
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import images, network
from tests.oracles.pixels import blurred


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.5, 0.9])
def test_it_is_the_image_under_a_gaussian_that_narrows(alpha):
    x = images(2, size=9)
    found = Unblur(2.0).at(torch.full((2,), alpha), x, x, torch.arange(2))
    for row in (0, 1):
        agree(found[row, 1], blurred(x[row, 1].tolist(), 2.0 * (1 - alpha)), 1e-10)


def test_it_ends_at_the_image_itself():
    x = images(2)
    assert torch.equal(Unblur(2.0).at(torch.ones(2), x, x, torch.arange(2)), x)


def test_it_starts_at_the_blurred_image_and_asks_for_no_other_baseline():
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, path=Unblur(2.0), steps=4)
    agree(found.baseline_score, model(Blur(2.0).images(x, model)).softmax(1)[:, 1].detach(), 1e-12)


def test_it_goes_on_getting_sharper():
    x = images(1)
    left = [Unblur(4.0).at(torch.tensor([alpha]), x, x, torch.zeros(1)).std() for alpha in (0.0, 0.3, 0.6, 0.9, 1.0)]
    assert left == sorted(left)


@pytest.mark.parametrize("sigma", [0.0, -1.0, float("nan")])
def test_a_sigma_that_does_not_blur_is_refused(sigma):
    with pytest.raises(BaselineError, match="above 0"):
        Unblur(sigma)
