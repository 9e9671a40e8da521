"""The photo without a share of its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.metrics.base import Probe, Seen
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.fill import Fill, filling
from rsi_gradcam.metrics.order import First, places


@dataclass(frozen=True)
class Removed(Probe):
    """The photo once for each share, that share of its pixels replaced, the most or the least important first."""

    first: First
    shares: tuple[float, ...]
    fill: Fill = "black"

    def __post_init__(self) -> None:
        check_choice("fill", self.fill, Fill)

    def inputs(self, seen: Seen) -> Tensor:
        x, behind = seen.preprocess.normalise(seen.pixels), filling(seen, self.fill)
        place = places(seen.heatmap, self.first)
        return torch.stack([torch.where(place < round(share * place.numel()), behind, x) for share in self.shares])
