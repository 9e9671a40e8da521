"""PxAP: the heatmap as a detector of the box's pixels, by its average precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from torch import Tensor

from rsi_gradcam.metrics.base import Answers, Better, Columns, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.grid import above, check_step, thresholds


def px_ap(L: Tensor, inside: Tensor) -> float:
    """Σ_t (recall_t − recall_{t+1}) · precision_t over all values t of the heatmap, a pixel at t being claimed."""
    values = np.sort(L.cpu().numpy(), axis=None)
    levels, counts = np.unique(L[inside].cpu().numpy(), return_counts=True)
    claimed = len(values) - np.searchsorted(values, levels, side="left")
    true = counts[::-1].cumsum()[::-1]
    return float((counts / counts.sum() * (true / claimed)).sum())


def pooled_px_ap(hits: np.ndarray, claims: np.ndarray) -> float:
    """The same over the pixels of all photos, from the sums of hits and claims at each threshold, from 0 upwards."""
    precision = hits / np.where(claims > 0, claims, 1)
    recall = hits / hits[0]
    return float(((recall - np.append(recall[1:], 0)) * precision).sum())


@dataclass(frozen=True)
class PxAP(Metric):
    """Pixel average precision of each photo, over all thresholds there are. Choe et al. 2020.

    Theirs is one number for a set, of all its pixels together: `pooled`, from each photo's `hits` (pixels at or
    above a threshold that lie inside) and `claims` (all at or above it), as shares of the photo, on a grid from 0
    to 1. Theirs is of 0.001. No threshold has to be chosen. A blank map scores 0 by itself; in the set it claims
    all at 0 and nothing above.
    """

    name: ClassVar[str] = "px_ap"
    summary: ClassVar[str] = "average precision of the heatmap as a detector of the box's pixels"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"claims": "neither"}
    boxed: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("", "hits", "claims")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {}

    step: float = 0.01

    def __post_init__(self) -> None:
        check_step(self.step)

    def points(self) -> Sequence[float]:
        return thresholds(self.step, ends=True)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if not seen.boxed:
            return self.absent()
        L, grid = seen.heatmap, thresholds(self.step, ends=True)
        hits, claims = above(L[seen.mask], grid, ">="), above(L, grid, ">=")
        return {
            "": 0.0 if seen.blank else px_ap(L, seen.mask),
            "hits": (hits / L.numel()).tolist(),
            "claims": (claims / L.numel()).tolist(),
        }

    def worst(self) -> Mapping[str, Value]:
        none = [0.0] * len(self.points())
        return {"": 0.0, "hits": none, "claims": none}

    def pooled(self, columns: Columns, choosing: np.ndarray) -> Mapping[str, float]:  # noqa: ARG002
        hits, claims = columns["hits"], columns["claims"]
        known = np.isfinite(hits).all(1, keepdims=True)
        if not known.any():
            return {}
        return {"pooled": pooled_px_ap(hits.sum(0, where=known), claims.sum(0, where=known))}
