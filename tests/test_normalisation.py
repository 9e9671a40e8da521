from __future__ import annotations

import pytest
import torch

from rsi_gradcam.errors import BaselineError
from rsi_gradcam.normalisation import Normalisation, known_of
from tests.networks import network

HALF = Normalisation((0.5, 0.5), (0.25, 0.5))


def test_by_hand():
    pixels = torch.tensor([[[[1.0]], [[0.0]]]])
    assert HALF.inputs(pixels).flatten().tolist() == [2.0, -1.0]
    assert HALF.pixels(torch.tensor([[[[2.0]], [[-1.0]]]])).flatten().tolist() == [1.0, 0.0]


def test_there_and_back_again():
    pixels = torch.rand(2, 2, 5, 5, dtype=torch.float64)
    assert torch.allclose(HALF.pixels(HALF.inputs(pixels)), pixels, atol=1e-14)


@pytest.mark.parametrize(
    ("pixel", "fits"), [(0.0, True), (1.0, True), (-0.01, True), (1.01, True), (-0.1, False), (1.1, False)]
)
def test_inputs_fit_if_they_come_from_pixels_between_black_and_white(pixel, fits):
    assert HALF.fits(HALF.inputs(torch.full((1, 2, 3, 3), pixel))) is fits


def test_another_number_of_colours_does_not_fit():
    assert not HALF.fits(torch.zeros(1, 3, 4, 4))


def test_a_model_without_any_is_not_known():
    assert known_of(network("plain"), torch.zeros(1, 3, 16, 16)) is None


@pytest.mark.parametrize(
    ("mean", "std"), [((0.5,), (0.5, 0.5)), ((0.5,), (0.0,)), ((0.5,), (-1.0,)), ((0.5,), (float("nan"),))]
)
def test_what_cannot_be_divided_by_is_refused(mean, std):
    with pytest.raises(BaselineError, match="std above 0"):
        Normalisation(mean, std)
