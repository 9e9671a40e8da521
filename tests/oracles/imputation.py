"""The fixed point of the weighted means of neighbours, found by going over the missing pixels again and again."""

from __future__ import annotations

from torch import Tensor


def impute(x: Tensor, missing: Tensor, rounds: int = 4000) -> list[list[list[float]]]:
    values = x.double().tolist()
    height, width = missing.shape
    holes = [(i, j) for i in range(height) for j in range(width) if missing[i, j]]
    for channel in values:
        for i, j in holes:
            channel[i][j] = 0.0
        for _ in range(rounds):
            change = 0.0
            for i, j in holes:
                total = weight = 0.0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if (di, dj) != (0, 0) and 0 <= i + di < height and 0 <= j + dj < width:
                            w = 1 / 6 if 0 in (di, dj) else 1 / 12
                            total += w * channel[i + di][j + dj]
                            weight += w
                change = max(change, abs(total / weight - channel[i][j]))
                channel[i][j] = total / weight
            if change < 1e-12:
                break
    return values
