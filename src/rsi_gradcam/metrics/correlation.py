"""How alike two maps are, whatever their scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import torch
from torch import Tensor

Alike = Literal["spearman", "pearson"]


def pearson(a: Tensor, b: Tensor) -> float:
    """Σ (a − ā)(b − b̄) / √(Σ (a − ā)² Σ (b − b̄)²), in float64.

    Where one of them has one value alone that is 0/0: then 1 if they are the same but for their scale, and else 0.
    """
    a, b = (each.flatten() / each.abs().amax().clamp_min(5e-324) for each in (a.double(), b.double()))
    if a.amax() == a.amin() or b.amax() == b.amin():
        return float(torch.equal(a, b))
    a, b = a - a.mean(), b - b.mean()
    return float(((a @ b) / (a.norm() * b.norm())).clamp(-1, 1))


def ranks(a: Tensor) -> Tensor:
    """From 1 for the smallest, in float64; those that tie share the mean of their ranks."""
    _, place, counts = torch.unique(a.flatten(), return_inverse=True, return_counts=True)
    last = counts.cumsum(0).double()
    mean: Tensor = last - (counts - 1) / 2
    return mean[place].reshape(a.shape)


def spearman(a: Tensor, b: Tensor) -> float:
    """Pearson's of the ranks: 1 for any two maps of the same order."""
    return pearson(ranks(a), ranks(b))


ALIKE: Mapping[Alike, Callable[[Tensor, Tensor], float]] = {"spearman": spearman, "pearson": pearson}
