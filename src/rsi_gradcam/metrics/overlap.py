"""The Jaccard-based measures: how the heatmap's region above a threshold and the box overlap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.base import Answers, Better, Columns, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.grid import Above, above, best_elsewhere, thresholds

CURVES = ("iou", "iob", "ior")


def overlap(
    L: Tensor, inside: Tensor, grid: Sequence[float], sign: Above = ">", empty_region: float = 0.0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """IoU, IoB and IoR, each (thresholds,), of the regions R of the heatmap above each threshold and the box B.

    IoR is `empty_region` where R is empty: nothing was claimed, so nothing was claimed rightly.
    """
    R, B = above(L, grid, sign), int(inside.sum())
    both = above(L[inside], grid, sign)  # |R ∩ B|
    iou = both / (R + B - both)  # |R ∩ B| / |R ∪ B|
    iob = both / B
    ior = np.where(R > 0, both / np.maximum(R, 1), empty_region)
    return iou, iob, ior


@dataclass(frozen=True)
class Overlap(Metric):
    """IoU, IoB and IoR at every threshold of a grid; of each its mean over the grid, and its value at `at`.

    The region is what is above the threshold, with `sign` ">=" what is at it too. `iou_elsewhere` of a whole set
    is the IoU at the threshold that is best on the one part of its photos, measured on the other.
    """

    name: ClassVar[str] = "overlap"
    summary: ClassVar[str] = "intersection of the heatmap's region and the box, over union, box and region"
    better: ClassVar[Better] = "higher"
    boxed: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = (
        *CURVES,
        *(f"{curve}_mean" for curve in CURVES),
        *(f"{curve}_at" for curve in CURVES),
    )
    headline: ClassVar[tuple[str, ...]] = ("iou_mean", "iob_mean", "ior_mean", "iou_at")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {"paper": {}}

    step: float = 0.05
    at: float = 0.5
    sign: Above = ">"
    empty_region: float = 0.0

    def __post_init__(self) -> None:
        check_choice("sign", self.sign, Above)
        if self.at not in self.points():
            raise ConfigurationError(
                f"at must be a threshold of the grid, got {self.at!r}: a multiple of {self.step!r}"
            )
        if not 0 <= self.empty_region <= 1:
            raise ConfigurationError(f"empty_region must be from 0 to 1, got {self.empty_region!r}")

    def points(self) -> Sequence[float]:
        return thresholds(self.step)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        empty_region = 0.0 if seen.dark else self.empty_region  # to claim nothing because it is dark is no merit
        found = overlap(seen.heatmap, seen.mask, thresholds(self.step), self.sign, empty_region)
        return self.told([curve.tolist() for curve in found])

    def worst(self) -> Mapping[str, Value]:
        return self.told([[0.0] * len(self.points())] * len(CURVES))

    def told(self, curves: Sequence[Sequence[float]]) -> Mapping[str, Value]:
        named = dict(zip(CURVES, curves, strict=True))
        here = self.points().index(self.at)
        means = {f"{name}_mean": sum(curve) / len(curve) for name, curve in named.items()}
        return {**named, **means, **{f"{name}_at": curve[here] for name, curve in named.items()}}

    def pooled(self, columns: Columns, choosing: np.ndarray) -> Mapping[str, float]:
        found = best_elsewhere(columns["iou"], choosing)
        if found is None:
            return {}
        best, mean = found
        return {"iou_elsewhere": mean, "iou_threshold": self.points()[best]}
