from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from rsi_gradcam.errors import ShapeError
from rsi_gradcam.images import Box, place


def test_over_the_whole_photo_it_is_bilinear_upsampling():
    heatmap = torch.rand(2, 1, 7, 5)
    expected = functional.interpolate(heatmap, (31, 44), mode="bilinear", align_corners=False)
    assert torch.allclose(place(heatmap, Box(0, 0, 44, 31), (44, 31)), expected, atol=1e-6)


def test_at_the_same_size_nothing_changes_inside_the_window_and_nothing_is_said_outside():
    heatmap = torch.rand(3, 4)
    placed = place(heatmap, Box(2, 1, 6, 4), (7, 6))
    assert torch.equal(placed[1:4, 2:6], heatmap)
    assert placed.isnan().sum() == 7 * 6 - 3 * 4


def test_it_agrees_with_a_plain_loop_at_a_window_between_pixels():
    heatmap = torch.rand(3, 4, dtype=torch.float64)
    window = Box(1.3, 0.6, 9.2, 7.4)
    placed = place(heatmap, window, (11, 9))
    for row in range(9):
        for column in range(11):
            assert placed[row, column].item() == pytest.approx(
                by_hand(heatmap, window, column + 0.5, row + 0.5), nan_ok=True
            )


def by_hand(heatmap, window, across, down):
    if not (window.left <= across < window.right and window.top <= down < window.bottom):
        return math.nan
    x = min(max((across - window.left) / window.width * 4 - 0.5, 0), 3)
    y = min(max((down - window.top) / window.height * 3 - 0.5, 0), 2)
    total = 0.0
    for i in range(3):
        for j in range(4):
            total += heatmap[i, j].item() * max(0, 1 - abs(x - j)) * max(0, 1 - abs(y - i))
    return total


def test_outside_can_be_any_number():
    assert place(torch.ones(1, 1), Box(0, 0, 1, 1), (2, 1), outside=0.0).tolist() == [[1.0, 0.0]]


@pytest.mark.parametrize("heatmap", [torch.rand(4), torch.zeros(2, 2, dtype=torch.long)])
def test_what_is_no_heatmap_is_refused(heatmap):
    with pytest.raises(ShapeError, match="a heatmap is floats"):
        place(heatmap, Box(0, 0, 1, 1), (1, 1))
