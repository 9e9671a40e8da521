from __future__ import annotations

import math

import pytest
import torch

from rsi_gradcam.controls.gaussian import Gaussian
from rsi_gradcam.errors import ConfigurationError
from tests.agreement import agree
from tests.controls.views import view


@pytest.mark.parametrize("width", [0.1, 0.25, 1.0])
def test_it_is_the_formula_as_loops(width):
    expected = [
        [
            math.exp(-0.5 * ((column + 0.5 - 8) / (16 * width)) ** 2 - 0.5 * ((row + 0.5 - 6) / (12 * width)) ** 2)
            for column in range(16)
        ]
        for row in range(12)
    ]
    agree(Gaussian(width).map(view()), expected, 1e-6)


def test_on_an_odd_side_the_middle_pixel_is_one():
    assert Gaussian().map(view(5, 7))[2, 3] == 1


def test_it_is_the_same_mirrored():
    found = Gaussian().map(view())
    assert torch.equal(found, found.flip(0))
    assert torch.equal(found, found.flip(1))


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan")])
def test_a_width_that_is_none_is_refused(width):
    with pytest.raises(ConfigurationError, match="above 0"):
        Gaussian(width)
