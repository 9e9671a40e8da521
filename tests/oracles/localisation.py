"""Measures of a heatmap against boxes, as loops over pixels: lists of rows, `True` for a pixel inside."""

from __future__ import annotations

from tests.oracles.network import Grid

Mask = list[list[bool]]


def pixels(grid: Grid, inside: Mask) -> list[tuple[float, bool]]:
    return [(grid[i][j], inside[i][j]) for i in range(len(grid)) for j in range(len(grid[0]))]


def energy(grid: Grid, inside: Mask) -> float:
    within = without = 0.0
    for value, here in pixels(grid, inside):
        if here:
            within += value
        else:
            without += value
    return within / (within + without) if within + without != 0 else 0.0


def overlap(grid: Grid, inside: Mask, threshold: float, *, at_it_too: bool) -> tuple[float, float, float | None]:
    """IoU, IoB and IoR of one threshold; None where the region is empty."""
    region = box = both = either = 0
    for value, here in pixels(grid, inside):
        claimed = value > threshold or (at_it_too and value == threshold)
        region += claimed
        box += here
        both += claimed and here
        either += claimed or here
    return both / either, both / box, both / region if region else None
