"""What the raw map's values alone tell, as loops."""

from __future__ import annotations

import math

from tests.oracles.network import Grid
from tests.oracles.pixels import normalised


def dark(grid: Grid, epsilon: float, below: float = 0.5) -> bool:
    """Is every pixel of the normalised map below?"""
    return all(value < below for row in normalised(grid, epsilon) for value in row)


def mean(grid: Grid) -> float:
    total, count = 0.0, 0
    for row in grid:
        for value in row:
            total += value
            count += 1
    return total / count


def decades(grid: Grid) -> float:
    sizes = [abs(value) for row in grid for value in row if value != 0]
    return math.log10(max(sizes)) - math.log10(min(sizes)) if sizes else 0.0


def gini(grid: Grid) -> float:
    """How much two pixels differ in the mean, over twice the mean."""
    sizes = [abs(value) for row in grid for value in row]
    apart = sum(abs(one - other) for one in sizes for other in sizes) / len(sizes) ** 2
    return apart / (2 * sum(sizes) / len(sizes))


def entropy(grid: Grid) -> float:
    sizes = [abs(value) for row in grid for value in row]
    return sum(-size / sum(sizes) * math.log(size / sum(sizes)) for size in sizes if size > 0)
