"""Means of many columns with intervals, from pictures drawn anew with replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.statistics.interval import NONE, Interval, acceleration, bias_corrected
from rsi_gradcam.statistics.pictures import Sums, by_picture

BLOCK = 250_000  # weights that are in memory at once: a processor's cache holds them


@dataclass(frozen=True)
class Resampling:
    """How often and by which seed. The same draws serve every column, so columns may be compared draw by draw.

    Of more than `most` pictures as many blocks are made, each of pictures dealt to it by chance, and blocks are
    drawn: their means scatter as those of pictures do, and time and memory stay within bounds.
    """

    resamples: int = 2000
    seed: int = 0
    level: float = 0.95
    most: int = 20_000

    def weights(self, pictures: int) -> Iterator[np.ndarray]:
        """(some, pictures) in blocks: how often each picture was drawn, in each resample."""
        generator = np.random.default_rng(self.seed)
        at_once = max(1, BLOCK // max(pictures, 1))
        offsets = pictures * np.arange(at_once)[:, None]
        for start in range(0, self.resamples, at_once):
            rows = min(at_once, self.resamples - start)
            drawn = generator.integers(0, pictures, (rows, pictures)) + offsets[:rows]
            yield np.bincount(drawn.ravel(), minlength=rows * pictures).reshape(rows, pictures).astype(np.float64)

    def units(self, rows: int, pictures: np.ndarray | None) -> np.ndarray | None:
        """(rows,): what is drawn as one, by number: a picture, or a block of them; None where each row is."""
        count = rows if pictures is None else int(pictures.max(initial=-1)) + 1
        if count <= self.most:
            return pictures
        dealt: np.ndarray = np.random.default_rng(self.seed).permutation(count) % self.most
        return dealt if pictures is None else dealt[pictures]


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
    how = how or Resampling()
    return bootstrap_sums(by_picture(values, how.units(len(values), pictures)), how)


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
