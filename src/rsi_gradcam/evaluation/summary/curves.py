"""Curves over a grid, as of thresholds: the mean at each point, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rsi_gradcam.evaluation.summary.measure import Measure, Place, ordered
from rsi_gradcam.evaluation.summary.reading import Reader
from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap_sums
from rsi_gradcam.statistics.interval import Interval
from rsi_gradcam.statistics.pictures import Sums

MOST = 2000  # blocks of pictures: memory does not grow with the photos


@dataclass(frozen=True)
class Curve:
    """Of one method or control at one layer."""

    kind: str
    method: str
    layer: str
    metric: str
    column: str
    better: str
    n: int
    points: tuple[float, ...]
    means: tuple[float, ...]
    intervals: tuple[Interval, ...]


def curves_of(reader: Reader, measures: Sequence[Measure], how: Resampling) -> list[Curve]:
    """Of all curve columns, in one walk through the store."""
    if not measures:
        return []
    how = replace(how, most=min(how.most, MOST))
    units = how.units(len(reader.kept.names), reader.kept.pictures)
    block_of = np.arange(len(reader.kept.names)) if units is None else units
    blocks = int(block_of.max()) + 1
    sums: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}  # of column and place, by block
    for rows in reader.rows([each.column for each in measures]):
        for measure in measures:
            values = rows.columns[measure.column]
            there = ~np.isnan(values).any(1) if values.ndim == 2 else np.zeros(len(values), bool)
            for number in np.unique(rows.place[there]):
                key = (measure.column, int(number))
                if key not in sums:
                    sums[key] = np.zeros((blocks, values.shape[1])), np.zeros((blocks, 1))
                mine = there & (rows.place == number)
                np.add.at(sums[key][0], block_of[rows.photo[mine]], values[mine])
                np.add.at(sums[key][1], block_of[rows.photo[mine]], 1.0)
    places = {number: place for place, number in reader.numbers.items()}
    order = ordered(places.values(), reader.store.manifest["configuration"])
    return [
        curve_of(measure, place, *sums[measure.column, reader.numbers[place]], how)
        for measure in measures
        for place in order
        if (measure.column, reader.numbers[place]) in sums
    ]


def curve_of(measure: Measure, place: Place, totals: np.ndarray, counts: np.ndarray, how: Resampling) -> Curve:
    drawn = bootstrap_sums(Sums(totals, np.repeat(counts, totals.shape[1], 1)), how)
    n, means = int(counts.sum()), tuple(map(float, drawn.means))
    named = (measure.metric, measure.column, measure.better)
    return Curve(*place, *named, n, measure.points, means, tuple(drawn.intervals()))
