"""Of two columns on the same photos, by how much the first is above the second."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rsi_gradcam.statistics.bootstrap import Bootstrap, Resampling, bootstrap, intervals
from rsi_gradcam.statistics.interval import Interval
from rsi_gradcam.statistics.pictures import picture_means
from rsi_gradcam.statistics.rank_biserial import rank_biserial
from rsi_gradcam.statistics.wilcoxon import signed_ranks, two_sided


class Paired(NamedTuple):
    """One comparison. Photos without a number in either column are no part of it."""

    photos: int
    difference: float  # mean of first − second
    interval: Interval
    p: float  # Wilcoxon's signed-rank test, two-sided, not yet corrected
    effect: float  # rank-biserial: 1 where the first is above on every picture, −1 where below


def paired(
    values: np.ndarray,
    pairs: Sequence[tuple[int, int]],
    pictures: np.ndarray | None = None,
    how: Resampling | None = None,
    drawn: Bootstrap | None = None,
) -> list[Paired]:
    """Of columns of (rows, columns) by their places; `drawn` is their bootstrap, where it was made already."""
    how = how or Resampling()
    drawn = drawn or bootstrap(values, pictures, how)
    return [one(values, first, second, pictures, how, drawn) for first, second in pairs]


def one(
    values: np.ndarray, first: int, second: int, pictures: np.ndarray | None, how: Resampling, drawn: Bootstrap
) -> Paired:
    differences = values[:, first] - values[:, second]
    ranks = signed_ranks(picture_means(differences, pictures))
    there = ~np.isnan(differences)
    if np.array_equal(there, ~np.isnan(values[:, first])) and np.array_equal(there, ~np.isnan(values[:, second])):
        alone = subtracted(drawn, first, second)  # each draw's difference of means is its mean of differences
    else:
        alone = bootstrap(differences[:, None], pictures, how)
    (interval,) = intervals(alone.means, alone.draws, alone.influence, how.level)
    return Paired(int(there.sum()), float(alone.means[0]), interval, two_sided(ranks), rank_biserial(ranks))


def subtracted(drawn: Bootstrap, first: int, second: int) -> Bootstrap:
    """One column less another that has its numbers on the same photos."""
    means, draws, influence = (
        part[..., [first]] - part[..., [second]] for part in (drawn.means, drawn.draws, drawn.influence)
    )
    return Bootstrap(means, draws, influence, drawn.level)
