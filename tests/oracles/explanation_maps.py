"""Chattopadhay's measures by the paper's LaTeX, one pixel at a time."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def probability_of(model: nn.Module, x: list[list[list[float]]], category: int) -> float:
    with torch.no_grad():
        logits = model(torch.tensor(x, dtype=torch.float32)[None])[0].tolist()
    highest = max(logits)
    powers = [math.exp(value - highest) for value in logits]
    return powers[category] / sum(powers)


def explanation_map(I: Tensor, L: Tensor, mean, std, *, before: bool) -> list[list[list[float]]]:  # noqa: E741
    """e_ijk = l_ij · p_ijk, multiplied before the normalisation or after it."""
    E = []
    for k in range(3):
        rows = []
        for i in range(len(L)):
            row = []
            for j in range(len(L[0])):
                p, l = I[k, i, j].item(), L[i, j].item()  # noqa: E741
                row.append((l * p - mean[k]) / std[k] if before else l * (p - mean[k]) / std[k])
            rows.append(row)
        E.append(rows)
    return E


def percentage_average_drop(Y: list[float], O: list[float]) -> float:  # noqa: E741
    total = 0.0
    for y, o in zip(Y, O, strict=True):
        total += max(0, y - o) / y
    return 100 / len(Y) * total


def increase_in_confidence(Y: list[float], O: list[float]) -> float:  # noqa: E741
    hits = 0
    for y, o in zip(Y, O, strict=True):
        if y < o:
            hits += 1
    return hits / len(Y)
