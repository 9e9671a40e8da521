"""Which map is measured where libraries differ: the heatmap, or the raw map at the input's size."""

from __future__ import annotations

from typing import Literal

from torch import Tensor

from rsi_gradcam.heatmap import upsample
from rsi_gradcam.metrics.base import Seen

Light = Literal["heatmap", "raw"]


def lit(seen: Seen, light: Light) -> Tensor:
    """(H, W): the heatmap, whose smallest value is 0; or the raw map, brought to the same size."""
    if light == "heatmap":
        return seen.heatmap
    return upsample(seen.raw[None], tuple(seen.heatmap.shape))[0]  # type: ignore[arg-type]
