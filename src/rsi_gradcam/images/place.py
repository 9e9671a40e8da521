"""Laying a map exactly over the part of the photo it speaks of."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from rsi_gradcam.errors import ShapeError
from rsi_gradcam.images.box import Box, Size


def place(heatmap: Tensor, window: Box, photo_size: Size, outside: float = math.nan) -> Tensor:
    """(…, h, w) spread over `window`, in a map (…, height, width) of the photo's pixels; bilinear.

    Pixels whose centre lies outside the window get `outside`: nan, since the network said nothing of them.
    """
    if heatmap.dim() < 2 or not heatmap.is_floating_point():
        raise ShapeError(f"a heatmap is floats (…, height, width), got {heatmap.dtype} {tuple(heatmap.shape)}")
    width, height = photo_size
    placed = heatmap.new_full((*heatmap.shape[:-2], height, width), outside)
    rows = slice(*pixels_between(window.top, window.bottom))
    columns = slice(*pixels_between(window.left, window.right))
    across = stretched(heatmap, -1, window.left, window.right)
    placed[..., rows, columns] = stretched(across, -2, window.top, window.bottom)
    return placed


def pixels_between(start: float, end: float) -> tuple[int, int]:
    """First and last but one of the pixels whose centres lie between two edges."""
    return math.ceil(start - 0.5), math.ceil(end - 0.5)


def stretched(values: Tensor, axis: int, start: float, end: float) -> Tensor:
    """`values` along one axis, read off at the pixels' centres between two edges; the rim goes on."""
    cells = values.shape[axis]
    centres = torch.arange(*pixels_between(start, end), dtype=torch.float64) + 0.5
    at = ((centres - start) * (cells / (end - start)) - 0.5).clamp(0, cells - 1)
    before = at.floor().long()
    after = (before + 1).clamp(max=cells - 1)
    part = (at - before).to(values)
    part = part if axis == -1 else part[:, None]
    near, far = (values.index_select(axis, index.to(values.device)) for index in (before, after))
    return near.lerp(far, part)
