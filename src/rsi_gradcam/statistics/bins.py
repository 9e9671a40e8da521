"""A measure against the class probability, in bins that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap
from rsi_gradcam.statistics.interval import NONE, Interval
from rsi_gradcam.statistics.pictures import numbered
from rsi_gradcam.statistics.proportion import is_share, wilson

# By tenths, and the last of them by nines: where a network is sure, its gradients vanish.
EDGES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 0.999, 0.9999, 1.0)

MOST = 2000  # pictures of a bin that are drawn one by one


class Bin(NamedTuple):
    """From low up to below high; the last one with its upper edge."""

    low: float
    high: float
    photos: int
    probability: float  # mean of its photos; nan in an empty bin
    mean: float
    interval: Interval


def in_bins(
    probability: np.ndarray,
    values: np.ndarray,
    pictures: np.ndarray | None = None,
    how: Resampling | None = None,
    edges: Sequence[float] = EDGES,
) -> list[list[Bin]]:
    """Of columns (rows, columns): for each column its bins, empty ones among them."""
    which = np.clip(np.searchsorted(edges, probability, side="right") - 1, 0, len(edges) - 2)
    which = np.where(np.isnan(probability), -1, which)
    found, shares = [], is_share(values)
    for number in range(len(edges) - 1):
        inside = which == number
        own = None if pictures is None else numbered(pictures[inside])
        low, high = float(edges[number]), float(edges[number + 1])
        rest = of_one(probability[inside], values[inside], own, how, shares=shares)
        found.append([Bin(low, high, *each) for each in rest])
    return [list(column) for column in zip(*found, strict=True)]


def of_one(
    probability: np.ndarray, values: np.ndarray, pictures: np.ndarray | None, how: Resampling | None, *, shares: bool
) -> list[tuple[int, float, float, Interval]]:
    """Photos, mean probability, mean and interval of each column, of the photos of one bin."""
    if not len(values):
        return [(0, np.nan, np.nan, NONE)] * values.shape[1]
    how = how or Resampling()
    drawn = bootstrap(values, pictures, replace(how, most=min(how.most, MOST)))
    found = []
    for column, mean, interval in zip(values.T, drawn.means, drawn.intervals(), strict=True):
        there = ~np.isnan(column)
        p = float(probability[there].mean()) if there.any() else np.nan
        independent = int(there.sum()) if pictures is None else len(np.unique(pictures[there]))
        sure = wilson(float(mean), independent) if shares and there.any() else interval
        found.append((int(there.sum()), p, float(mean), sure))
    return found
