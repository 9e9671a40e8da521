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


def peaks_that_hit(grid: Grid, boxes: list[tuple[float, float, float, float]], tolerance: float) -> list[bool]:
    """For each pixel as high as the highest, in reading order: is its centre in a box, or so near to one?"""
    highest = max(max(row) for row in grid)
    found = []
    for i, row in enumerate(grid):
        for j, value in enumerate(row):
            if value == highest:
                x, y = j + 0.5, i + 0.5
                hit = False
                for left, top, right, bottom in boxes:
                    nearest_x, nearest_y = min(max(x, left), right), min(max(y, top), bottom)
                    within = left <= x < right and top <= y < bottom
                    near = tolerance > 0 and ((x - nearest_x) ** 2 + (y - nearest_y) ** 2) ** 0.5 <= tolerance
                    hit = hit or within or near
                found.append(hit)
    return found


def average_precision(grid: Grid, inside: Mask) -> float:
    """From the highest value down: every step in recall, times the precision after it."""
    all_pixels = pixels(grid, inside)
    wanted = sum(here for _, here in all_pixels)
    area = recall = 0.0
    for threshold in sorted({value for value, _ in all_pixels}, reverse=True):
        claimed = [here for value, here in all_pixels if value >= threshold]
        area += (sum(claimed) / wanted - recall) * sum(claimed) / len(claimed)
        recall = sum(claimed) / wanted
    return area


Part = tuple[tuple[int, int, int, int], int]


def parts(region: Mask) -> list[Part]:
    """Box and size of each part, by filling from one pixel to its eight neighbours."""
    left_over = {(i, j) for i, row in enumerate(region) for j, here in enumerate(row) if here}
    found = []
    for first in sorted(left_over):
        if first not in left_over:
            continue
        left_over.remove(first)
        part, waiting = [first], [first]
        while waiting:
            i, j = waiting.pop()
            for near in [(i + down, j + across) for down in (-1, 0, 1) for across in (-1, 0, 1)]:
                if near in left_over:
                    left_over.remove(near)
                    part.append(near)
                    waiting.append(near)
        rows, columns = [i for i, _ in part], [j for _, j in part]
        found.append(((min(columns), min(rows), max(columns) + 1, max(rows) + 1), len(part)))
    return found


def box_iou(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    both = across * down if across > 0 and down > 0 else 0.0
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return both / (areas[0] + areas[1] - both)
