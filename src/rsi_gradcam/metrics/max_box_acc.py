"""MaxBoxAcc: does the box around the heatmap's region above a threshold find the object's box?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics.base import Answers, Better, Columns, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.components import box_iou, components
from rsi_gradcam.metrics.grid import best_elsewhere, thresholds


def found(L: Tensor, boxes: Sequence[Box], grid: Sequence[float]) -> tuple[list[float], list[float]]:
    """At each threshold the best IoU with any of the boxes: of the box around the region's largest connected part;
    and of the box around any part of it. 0 where the region is empty.
    """
    parts = components(L.cpu().numpy() > np.array(grid)[:, None, None])
    overlaps = box_iou(parts.boxes, np.array(boxes, dtype=float)).max(1)
    largest, best = np.zeros(len(grid)), np.zeros(len(grid))
    np.maximum.at(best, parts.planes, overlaps)
    order = np.lexsort((-parts.sizes, parts.planes))
    planes, first = np.unique(parts.planes[order], return_index=True)
    largest[planes] = overlaps[order][first]
    return largest.tolist(), best.tolist()


@dataclass(frozen=True)
class MaxBoxAcc(Metric):
    """IoU with the object's box at each threshold: of the box around the largest part of the region (`iou`), and
    around the part that fits best (`iou_any`). The metric's own column says if the first is a half at `at`, which
    nobody has fitted: Zhou et al. 2016 have a fifth of the maximum. A dark map finds nothing at any threshold.

    Of a whole set, with the threshold that is best on one part of its photos, measured on the other: `elsewhere`,
    the share of photos with an IoU of a half (MaxBoxAcc), and `v2_elsewhere`, the mean of that share of `iou_any`
    over `overlaps`, each at its own threshold (MaxBoxAccV2). Choe et al. 2020.
    """

    name: ClassVar[str] = "max_box_acc"
    summary: ClassVar[str] = "whether the box around the heatmap's region fits the object's box"
    better: ClassVar[Better] = "higher"
    boxed: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("", "iou", "iou_any")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {}

    step: float = 0.05
    at: float = 0.2
    overlaps: tuple[float, ...] = (0.3, 0.5, 0.7)

    def __post_init__(self) -> None:
        object.__setattr__(self, "overlaps", tuple(self.overlaps))
        if self.at not in self.points():
            raise ConfigurationError(
                f"at must be a threshold of the grid, got {self.at!r}: a multiple of {self.step!r}"
            )
        if not self.overlaps or not all(0 < overlap <= 1 for overlap in self.overlaps):
            raise ConfigurationError(f"overlaps must be one or more IoUs above 0 up to 1, got {self.overlaps!r}")

    def points(self) -> Sequence[float]:
        return thresholds(self.step)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        if seen.dark:
            return self.worst()  # its IoUs count as hits in a set
        grid = self.points()
        largest, best = found(seen.heatmap, seen.boxes, grid)
        return {"": float(largest[grid.index(self.at)] >= 0.5), "iou": largest, "iou_any": best}

    def worst(self) -> Mapping[str, Value]:
        none = [0.0] * len(self.points())
        return {"": 0.0, "iou": none, "iou_any": none}

    def pooled(self, columns: Columns, choosing: np.ndarray) -> Mapping[str, float]:
        first = best_elsewhere(hits(columns["iou"], 0.5), choosing)
        second = [best_elsewhere(hits(columns["iou_any"], overlap), choosing) for overlap in self.overlaps]
        if first is None:
            return {}
        v2 = [each[1] for each in second if each is not None]
        return {"elsewhere": first[1], "v2_elsewhere": sum(v2) / len(v2), "threshold": self.points()[first[0]]}


def hits(iou: np.ndarray, overlap: float) -> np.ndarray:
    """1 where the IoU is at least the overlap, 0 where not, nan where there is none."""
    return np.where(np.isfinite(iou), iou >= overlap, np.nan)
