"""Deletion and insertion as one would do them by hand: one pixel after the other."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from tests.oracles.explanation_maps import probability_of


def order_of(L: Tensor, *, most_first: bool) -> list[tuple[int, int]]:
    """Pixels by their value; those that tie stay in reading order."""
    places = [(i, j) for i in range(len(L)) for j in range(len(L[0]))]
    ordered = []
    while places:
        best = places[0]
        for place in places:
            here, there = L[place].item(), L[best].item()
            if (here > there) if most_first else (here < there):
                best = place
        places.remove(best)
        ordered.append(best)
    return ordered


def curve(
    model: nn.Module, start: Tensor, end: Tensor, order: list[tuple[int, int]], category: int, counts: list[int]
) -> list[float]:
    """The probability as pixels of `start` turn into those of `end`; after each number of pixels in `counts`."""
    x, found = start.tolist(), []
    for done in range(len(order) + 1):
        if done in counts:
            found.append(probability_of(model, x, category))
        if done < len(order):
            i, j = order[done]
            for k in range(3):
                x[k][i][j] = end[k, i, j].item()
    return found


def area(points: list[float], values: list[float]) -> float:
    total = 0.0
    for at in range(1, len(points)):
        total += (points[at] - points[at - 1]) * (values[at] + values[at - 1]) / 2
    return total


def filled(x: Tensor, pixels: Tensor, mean, std, fill: str) -> Tensor:
    """What stands behind: one colour, written down number by number."""
    behind = torch.empty_like(x)
    for k in range(3):
        colour = 0.0
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                colour += pixels[k, i, j].item() / (x.shape[1] * x.shape[2])
        value = {"black": -mean[k] / std[k], "zero": 0.0, "mean": (colour - mean[k]) / std[k]}[fill]
        behind[k] = value
    return behind
