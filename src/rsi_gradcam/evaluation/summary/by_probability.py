"""Each number against the probability of the class: as the paper draws it, and in bins that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.evaluation.summary.measure import Measure, Place
from rsi_gradcam.evaluation.summary.reading import Kept
from rsi_gradcam.statistics.bins import Bin, in_bins
from rsi_gradcam.statistics.bootstrap import Resampling
from rsi_gradcam.statistics.rolling import Rolling, rolling

POINTS = 300  # of a rolling curve: more cannot be seen


@dataclass(frozen=True)
class ByProbability:
    """Of one method or control at one layer. Points of the rolling mean share photos, so it has no intervals."""

    kind: str
    method: str
    layer: str
    metric: str
    column: str
    better: str
    rolling: Rolling
    bins: tuple[Bin, ...]


def by_probability_of(
    measure: Measure, values: np.ndarray, places: Sequence[Place], kept: Kept, how: Resampling
) -> list[ByProbability]:
    """Of one measure: `values` (photos, places). Places that have no number are left out."""
    binned = in_bins(kept.probability, values, kept.pictures, how)
    return [
        ByProbability(
            *place,
            measure.metric,
            measure.column,
            measure.better,
            rolling(kept.probability, values[:, number], points=POINTS),
            tuple(binned[number]),
        )
        for number, place in enumerate(places)
        if not np.isnan(values[:, number]).all()
    ]
