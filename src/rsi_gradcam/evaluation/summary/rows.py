"""The table: of each method and control at each layer, every headline number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.evaluation.summary.measure import Measure, Place
from rsi_gradcam.statistics.bootstrap import Bootstrap
from rsi_gradcam.statistics.interval import Interval
from rsi_gradcam.statistics.proportion import is_share, wilson

CANCELLED = 1e-12


@dataclass(frozen=True)
class Row:
    """One number of the table. Numbers that do not exist are nan."""

    kind: str
    method: str
    layer: str
    metric: str
    column: str
    better: str
    n: int  # photos that have the number
    mean: float
    interval: Interval
    mean_without_dark: float
    n_dark: int | None  # dark maps among the n; None where it is not known
    median: float

    @property
    def place(self) -> Place:
        return Place(self.kind, self.method, self.layer)


def rows_of(
    measure: Measure,
    values: np.ndarray,
    drawn: Bootstrap,
    places: Sequence[Place],
    dark: Mapping[Place, np.ndarray],
    pictures: np.ndarray | None,
) -> list[Row]:
    """Of one measure: `values` (photos, places) and their bootstrap."""
    intervals = (
        [share(values[:, number], pictures) for number in range(len(places))]
        if is_share(values)
        else drawn.intervals()
    )
    return [
        row_of(measure, values[:, number], intervals[number], place, dark[place])
        for number, place in enumerate(places)
    ]


def share(values: np.ndarray, pictures: np.ndarray | None) -> Interval:
    """Wilson's, of as many as there are pictures."""
    there = ~np.isnan(values)
    independent = int(there.sum()) if pictures is None else len(np.unique(pictures[there]))
    return wilson(mean_of(values[there]), independent)


def row_of(measure: Measure, values: np.ndarray, interval: Interval, place: Place, dark: np.ndarray) -> Row:
    """`dark` (photos,) is 1 or 0, nan where it is not known: then nothing is said of dark maps."""
    there = ~np.isnan(values)
    known = not np.isnan(dark[there]).any()
    lit = there & (dark != 1) if known else there
    size = mean_of(np.abs(values[there]))
    return Row(
        *place,
        measure.metric,
        measure.column,
        measure.better,
        int(there.sum()),
        unless_rounding(mean_of(values[there]), size),
        Interval(*(unless_rounding(end, size) for end in interval)),
        mean_of(values[lit]),
        int((there & (dark == 1)).sum()) if known else None,
        float(np.median(values[there])) if there.any() else np.nan,
    )


def unless_rounding(value: float, size: float) -> float:
    """0 for what cancels but for the last digits of numbers of this size."""
    return 0.0 if abs(value) < CANCELLED * size else value


def mean_of(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else np.nan
