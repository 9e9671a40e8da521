"""Wilcoxon's signed-rank test: are differences as often and as far above 0 as below?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

EXACT = 50  # up to so many differences every outcome is counted: few sums, fewer with ties, are not normal


class SignedRanks(NamedTuple):
    """|d| ranked from 1, ties at their mean rank, differences of 0 left out."""

    n: int
    positive: float  # W⁺: the sum of the ranks of d > 0
    negative: float  # W⁻
    equal: tuple[int, ...]  # from the smallest |d| upwards, how many there are of each

    @property
    def ranks(self) -> list[float]:
        """All of them, in rising order."""
        starts = accumulate(self.equal, initial=0)
        return [start + (t + 1) / 2 for start, t in zip(starts, self.equal, strict=False) for _ in range(t)]

    @property
    def ties(self) -> float:
        """Σ t³ − t over groups of t equal |d|."""
        t = np.array(self.equal, np.float64)
        return float((t**3 - t).sum())


def signed_ranks(differences: np.ndarray) -> SignedRanks:
    """Of differences, nan where there is none."""
    d = differences[~np.isnan(differences) & (differences != 0)]
    order = np.argsort(np.abs(d), kind="stable")
    size, above = np.abs(d)[order], d[order] > 0
    starts = np.flatnonzero(np.diff(size, prepend=-1.0))
    equal = np.diff(starts, append=len(d))
    ranks = np.repeat(starts + (equal + 1) / 2, equal)
    return SignedRanks(len(d), float(ranks[above].sum()), float(ranks[~above].sum()), tuple(equal.tolist()))


def two_sided(ranks: SignedRanks) -> float:
    """The chance of ranks as uneven as these if each difference might as well have had the other sign."""
    n = ranks.n
    if n == 0:
        return 1.0
    if n <= EXACT:
        return exact(ranks.ranks, min(ranks.positive, ranks.negative))
    variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48
    z = (min(ranks.positive, ranks.negative) - n * (n + 1) / 4) / math.sqrt(variance)
    return min(1.0, 2 * float(ndtr(z)))


def exact(ranks: Sequence[float], smaller: float) -> float:
    """By counting, of the 2ⁿ choices of signs, those with a rank sum of at most `smaller`."""
    doubled = [round(2 * rank) for rank in ranks]  # mean ranks may be halves
    ways = np.zeros(sum(doubled) + 1)  # twice the sum of the chosen ranks → in how many ways
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    return min(1.0, 2 * float(ways[: round(2 * smaller) + 1].sum()) / 2.0 ** len(doubled))
