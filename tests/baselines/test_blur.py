from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Blur
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import images, network
from tests.oracles.pixels import blurred


@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.5])
def test_it_is_a_gaussian_as_loops(sigma):
    x = images(2, size=9)
    found = Blur(sigma).images(x, network("plain"))
    for row in (0, 1):
        for channel in range(3):
            agree(found[row, channel], blurred(x[row, channel].tolist(), sigma), 1e-12)


def test_a_plain_image_stays_as_it_is():
    x = torch.full((1, 3, 16, 16), 0.7, dtype=torch.float64)
    agree(Blur(5.0).images(x, network("plain")), x, 1e-12)


def test_the_stronger_the_blur_the_less_is_left():
    x = images(1)
    left = [Blur(sigma).images(x, network("plain")).std() for sigma in (0.5, 1.0, 2.0, 4.0, 8.0)]
    assert left == sorted(left, reverse=True)


@pytest.mark.parametrize("sigma", [0.0, -1.0, float("nan")])
def test_a_sigma_that_does_not_blur_is_refused(sigma):
    with pytest.raises(BaselineError, match="above 0"):
        Blur(sigma)
