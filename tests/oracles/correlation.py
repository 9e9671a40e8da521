"""Correlations as one learns them: sums over pairs, ranks by counting."""

from __future__ import annotations

import math


def pearson(a: list[float], b: list[float]) -> float:
    mean_a, mean_b = sum(a) / len(a), sum(b) / len(b)
    together = apart_a = apart_b = 0.0
    for x, y in zip(a, b, strict=True):
        together += (x - mean_a) * (y - mean_b)
        apart_a += (x - mean_a) ** 2
        apart_b += (y - mean_b) ** 2
    return together / math.sqrt(apart_a * apart_b)


def ranks(a: list[float]) -> list[float]:
    """How many are smaller, half of those that tie, and a half."""
    found = []
    for x in a:
        smaller = alike = 0
        for y in a:
            smaller += y < x
            alike += y == x
        found.append(smaller + (alike + 1) / 2)
    return found


def spearman(a: list[float], b: list[float]) -> float:
    return pearson(ranks(a), ranks(b))
