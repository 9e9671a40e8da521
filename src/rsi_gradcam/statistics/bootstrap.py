"""Means of many columns with intervals, from pictures drawn anew with replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.statistics.interval import NONE, Interval, acceleration, bias_corrected
from rsi_gradcam.statistics.pictures import Sums, by_picture

BLOCK = 4_000_000  # weights that are in memory at once


@dataclass(frozen=True)
class Resampling:
    """How often and by which seed. The same draws serve every column, so columns may be compared draw by draw."""

    resamples: int = 2000
    seed: int = 0
    level: float = 0.95

    def weights(self, pictures: int) -> Iterator[np.ndarray]:
        """(some, pictures) in blocks: how often each picture was drawn, in each resample."""
        generator = np.random.default_rng(self.seed)
        block = max(1, BLOCK // max(pictures, 1))
        for start in range(0, self.resamples, block):
            rows = min(block, self.resamples - start)
            drawn = generator.integers(0, pictures, (rows, pictures), np.int32)
            places = drawn + np.arange(rows, dtype=np.int64)[:, None] * pictures
            yield np.bincount(places.ravel(), minlength=rows * pictures).reshape(rows, pictures).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """The means of columns, of all photos and of every resample."""

    means: np.ndarray  # (columns,)
    draws: np.ndarray  # (resamples, columns); nan where a resample has no number
    influence: np.ndarray  # (pictures, columns): what a picture adds to a column's total beyond the mean
    level: float

    def intervals(self) -> list[Interval]:
        """BCa, of each column."""
        return intervals(self.means, self.draws, self.influence, self.level)


def bootstrap(values: np.ndarray, pictures: np.ndarray | None = None, how: Resampling | None = None) -> Bootstrap:
    """Of rows (rows, columns); those with the same number in `pictures` are drawn together."""
    return bootstrap_sums(by_picture(values, pictures), how or Resampling())


def bootstrap_sums(sums: Sums, how: Resampling) -> Bootstrap:
    """mean of a resample = Σ w S / Σ w n over pictures, w: how often it was drawn."""
    means = sums.means
    influence = np.where(sums.counts > 0, sums.totals - means * sums.counts, 0.0)  # centred: nothing cancels below
    masks, which = alike(sums.counts)
    draws = []
    for weights in how.weights(len(influence)) if len(influence) else ():
        counts = (weights @ masks)[:, which]
        draws.append(np.where(counts == 0, np.nan, (weights @ influence) / np.where(counts == 0, 1, counts)))
    drawn = np.concatenate(draws) + means if draws else np.full((how.resamples, len(means)), np.nan)
    return Bootstrap(means, drawn, influence, how.level)


def intervals(means: np.ndarray, draws: np.ndarray, influence: np.ndarray, level: float) -> list[Interval]:
    """One for each column; none for a column with a resample that has no number, or with a single picture."""
    if len(influence) < 2:
        return [NONE] * len(means)
    sound = ~np.isnan(draws).any(0)
    low, high = bias_corrected(means, np.where(sound, draws, 0.0), acceleration(influence), level)
    return [Interval(float(a), float(b)) if ok else NONE for a, b, ok in zip(low, high, sound, strict=True)]


def alike(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The columns that differ from each other, and for each column which of them it is."""
    known: dict[bytes, int] = {}
    which = [known.setdefault(column.tobytes(), len(known)) for column in np.ascontiguousarray(columns.T)]
    first = [which.index(number) for number in range(len(known))]
    return columns[:, first], np.array(which, np.int64)
