"""What the raw map's values alone tell, as loops."""

from __future__ import annotations

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
