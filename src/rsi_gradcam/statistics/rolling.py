"""A measure against the class probability, as the paper draws it: means over a window that rolls along."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PAPER = 1000  # photos in the paper's window
FEW = 5000  # with fewer photos a window is a tenth of them


class Rolling(NamedTuple):
    """Points of the curve; neighbours share most of their photos."""

    probability: np.ndarray  # the mean of the window's photos
    mean: np.ndarray
    window: int


def window_of(photos: int) -> int:
    """1000, or a tenth of the photos where they are fewer than 5000."""
    return PAPER if photos >= FEW else max(1, photos // 10)


def rolling(
    probability: np.ndarray, values: np.ndarray, window: int | None = None, points: int | None = None
) -> Rolling:
    """Photos sorted by probability, means over every `window` in a row; of these curves `points` at even distances.

    Each window is added up for itself: from running sums, tiny values beside large ones would be lost.
    """
    there = ~np.isnan(values) & ~np.isnan(probability)
    order = np.argsort(probability[there], kind="stable")
    p, v = probability[there][order], values[there][order]
    window = window_of(len(v)) if window is None else window
    last = len(v) - window
    if last < 0:
        return Rolling(np.empty(0), np.empty(0), window)
    starts = np.arange(last + 1)
    if points is not None and last >= points:
        starts = np.unique(np.linspace(0, last, points).round().astype(int))
    means = [[column[start : start + window].mean() for start in starts] for column in (p, v)]
    return Rolling(np.array(means[0]), np.array(means[1]), window)
