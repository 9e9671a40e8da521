"""The pointing game: does the heatmap's highest pixel hit the box?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice

Ties = Literal["mean", "first", "all", "any"]


def pointing_game(
    L: Tensor, inside: Tensor, boxes: Sequence[Box], tolerance: float = 0.0, ties: Ties = "mean"
) -> float:
    """1 for a hit, 0 for a miss; 0 for a map that is alike everywhere, which points nowhere.

    A peak hits inside the box, or where its centre is no further from a box's edge than the tolerance. Where
    several peaks are equal: the share that hits ("mean", as if one were drawn), the "first" of them in reading
    order, "all" of them, or "any".
    """
    high = L.amax()
    if high == L.amin():
        return 0.0
    peaks = (high == L).nonzero()  # rows and columns
    hits = inside[peaks[:, 0], peaks[:, 1]]
    if tolerance > 0:
        hits = hits | (distance(peaks.double() + 0.5, boxes) <= tolerance)
    hits = hits.double()
    return float({"mean": hits.mean(), "first": hits[0], "all": hits.amin(), "any": hits.amax()}[ties])


def distance(points: Tensor, boxes: Sequence[Box]) -> Tensor:
    """(n,): from each (y, x) to the nearest box that has an area; 0 within."""
    edges = torch.tensor([box for box in boxes if box.width > 0 and box.height > 0], dtype=torch.float64)
    left, top, right, bottom = edges.to(points.device).reshape(-1, 4).T
    y, x = points[:, :1], points[:, 1:]
    across = torch.maximum(left - x, x - right).clamp(min=0)
    down = torch.maximum(top - y, y - bottom).clamp(min=0)
    return torch.hypot(across, down).amin(1)


@dataclass(frozen=True)
class PointingGame(Metric):
    """1 if the heatmap's highest pixel lies in a box, or no more than `tolerance` pixels of the input beside it; 0 if
    the heatmap is dark.

    The mean over photos is the accuracy. Zhang et al. 2018 have a tolerance of 15 pixels; on a mosaic, whose tiles
    touch, that lets a peak in the middle hit them all.
    """

    name: ClassVar[str] = "pointing_game"
    summary: ClassVar[str] = "whether the heatmap's highest pixel hits the box"
    better: ClassVar[Better] = "higher"
    boxed: ClassVar[bool] = True
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {"quantus": {"ties": "any"}}

    tolerance: float = 0.0
    ties: Ties = "mean"

    def __post_init__(self) -> None:
        check_choice("ties", self.ties, Ties)
        if not self.tolerance >= 0:
            raise ConfigurationError(f"tolerance must be 0 or more pixels, got {self.tolerance!r}")

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        if seen.dark:
            return self.worst()
        return {"": pointing_game(seen.heatmap, seen.mask, seen.boxes, self.tolerance, self.ties)}

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0}
