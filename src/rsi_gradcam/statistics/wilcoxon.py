"""Wilcoxon's signed-rank test: are differences as often and as far above 0 as below?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

EXACT = 50  # up to so many differences without ties, every outcome is counted


class SignedRanks(NamedTuple):
    """|d| ranked from 1, ties at their mean rank, differences of 0 left out."""

    n: int
    positive: float  # W⁺: the sum of the ranks of d > 0
    negative: float  # W⁻
    ties: float  # Σ t³ − t over groups of t equal |d|


def signed_ranks(differences: np.ndarray) -> SignedRanks:
    """Of differences, nan where there is none."""
    d = differences[~np.isnan(differences) & (differences != 0)]
    order = np.argsort(np.abs(d), kind="stable")
    size, above = np.abs(d)[order], d[order] > 0
    starts = np.flatnonzero(np.diff(size, prepend=-1.0))
    equal = np.diff(starts, append=len(d)).astype(np.float64)
    ranks = np.repeat(starts + (equal + 1) / 2, equal.astype(int))
    return SignedRanks(len(d), float(ranks[above].sum()), float(ranks[~above].sum()), float((equal**3 - equal).sum()))


def two_sided(ranks: SignedRanks) -> float:
    """The chance of ranks as uneven as these if each difference might as well have had the other sign."""
    n = ranks.n
    if n == 0:
        return 1.0
    if n <= EXACT and ranks.ties == 0:
        return exact(n, min(ranks.positive, ranks.negative))
    variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.ties / 48
    z = (min(ranks.positive, ranks.negative) - n * (n + 1) / 4) / math.sqrt(variance)
    return min(1.0, 2 * float(ndtr(z)))


def exact(n: int, smaller: float) -> float:
    """By counting, of the 2ⁿ choices of signs, those with a rank sum of at most `smaller`."""
    ways = np.zeros(n * (n + 1) // 2 + 1)  # sum of the chosen ranks → in how many ways
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    return min(1.0, 2 * float(ways[: int(smaller) + 1].sum()) / 2.0**n)
