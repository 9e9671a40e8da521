"""What happens to maps and images as grids of pixels."""

from __future__ import annotations

import math

from tests.oracles.network import Grid


def bilinear(grid: Grid, height: int, width: int) -> Grid:
    """Each output pixel's centre is put into the grid, whose edge values go on outward."""
    rows, columns = len(grid), len(grid[0])
    out = []
    for i in range(height):
        y = min(max((i + 0.5) * rows / height - 0.5, 0.0), rows - 1.0)
        top, down = math.floor(y), y - math.floor(y)
        bottom = min(top + 1, rows - 1)
        line = []
        for j in range(width):
            x = min(max((j + 0.5) * columns / width - 0.5, 0.0), columns - 1.0)
            left, right = math.floor(x), min(math.floor(x) + 1, columns - 1)
            across = x - left
            upper = (1 - across) * grid[top][left] + across * grid[top][right]
            lower = (1 - across) * grid[bottom][left] + across * grid[bottom][right]
            line.append((1 - down) * upper + down * lower)
        out.append(line)
    return out


def normalised(grid: Grid, epsilon: float = 0.0) -> Grid:
    """eq. normeps; a grid without any range is 0."""
    low, high = min(min(row) for row in grid), max(max(row) for row in grid)
    below = high - low + epsilon
    return [[(value - low) / below if below != 0 else 0.0 for value in row] for row in grid]


def blurred(grid: Grid, sigma: float) -> Grid:
    """A Gaussian, cut at three sigma, over a grid whose edge values go on outward: rows, then columns."""
    radius = max(1, round(3 * sigma))
    kernel = [math.exp(-0.5 * (offset / sigma) ** 2) for offset in range(-radius, radius + 1)]
    total = sum(kernel)

    def along(line: list[float]) -> list[float]:
        last = len(line) - 1
        return [
            sum(
                weight / total * line[min(max(place + offset, 0), last)]
                for weight, offset in zip(kernel, range(-radius, radius + 1), strict=True)
            )
            for place in range(len(line))
        ]

    across = [along(row) for row in grid]
    columns = [along([row[j] for row in across]) for j in range(len(grid[0]))]
    return [[columns[j][i] for j in range(len(grid[0]))] for i in range(len(grid))]
