"""Maps and boxes without any network, for measures that ask none."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from torch import Tensor

from rsi_gradcam.images.box import Box
from rsi_gradcam.images.inside import inside
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.metrics.base import Metric, Seen, Value

SIDE = 8


def look(heatmap: Tensor, boxes: tuple[Box, ...] | None = None, **other: object) -> Seen:
    """`raw` is the heatmap, and `mask` what the boxes enclose, unless they are given."""
    size = (heatmap.shape[0], heatmap.shape[1])
    mask = other.pop("mask", None if boxes is None else inside(boxes, size))
    return Seen(
        other.pop("raw", heatmap),
        heatmap,
        torch.full((3, *size), 0.5),
        mask,
        boxes or (),
        0,
        torch.tensor([1.0, 0.0]),
        Preprocess(size),
        **other,
    )


def measured(metric: Metric, seen: Seen) -> dict[str, Value]:
    return dict(metric.measure(seen, {}))


def draw_map(seed: int, levels: int = 0, side: int = SIDE) -> Tensor:
    """(side, side) in 0..1, from 0 to 1; of so many levels, that there are ties."""
    generator = torch.Generator().manual_seed(seed)
    values = torch.rand(side, side, generator=generator)
    if levels:
        values = (values * levels).floor() / levels
    return (values - values.min()) / (values.max() - values.min()).clamp(min=1e-9)


@st.composite
def box_within(draw: st.DrawFn, side: int = SIDE) -> Box:
    """One or more pixels, less than all."""
    left, top = draw(st.integers(0, side - 1)), draw(st.integers(0, side - 1))
    right, bottom = draw(st.integers(left + 1, side)), draw(st.integers(top + 1, side))
    if (right - left) * (bottom - top) == side * side:
        right -= 1
    return Box(left, top, right, bottom)


maps = st.builds(draw_map, st.integers(0, 10_000), st.sampled_from([0, 2, 5, 20]))
