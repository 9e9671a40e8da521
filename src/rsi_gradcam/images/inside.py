"""Boxes as a mask of pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor

from rsi_gradcam.images.box import Box

TIE = 1e-9  # of a pixel: an edge that rounding moved off a pixel's centre is still on it


def inside(boxes: Iterable[tuple[float, float, float, float]], size: tuple[int, int]) -> Tensor:
    """(height, width) bool: the pixels whose centre lies in any of the boxes.

    `size` is (height, width), as of tensors and `Preprocess.size`; the boxes are edges in the same pixels, as
    `Preprocess.box_to_input` gives them, and are cut at the rim. A centre on a left or top edge is inside, one on
    a right or bottom edge is not: boxes that touch share no pixel, and a resize by nearest neighbour agrees.

    >>> inside([(0.5, 0, 2, 1)], (2, 3)).int().tolist()
    [[1, 1, 0], [0, 0, 0]]
    """
    height, width = size
    mask = torch.zeros(height, width, dtype=torch.bool)
    for box in boxes:
        left, top, right, bottom = Box(*box)
        mask[first(top, height) : first(bottom, height), first(left, width) : first(right, width)] = True
    return mask


def first(edge: float, side: int) -> int:
    """The first pixel whose centre is not before the edge, within 0 … side."""
    return min(max(math.ceil(edge - 0.5 - TIE), 0), side)
