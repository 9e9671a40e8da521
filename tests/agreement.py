"""Two ways to the same numbers."""

from __future__ import annotations

import torch
from torch import Tensor


def agree(found: Tensor, expected: object, tolerance: float = 1e-10) -> None:
    """Every number, within a tolerance relative to the largest of them."""
    wanted = torch.as_tensor(expected, dtype=torch.float64)
    assert tuple(found.shape) == tuple(wanted.shape)
    scale = float(wanted.abs().max())
    off = float((found.double() - wanted).abs().max())
    assert off <= tolerance * max(scale, 1e-300), f"off by {off:.3g} where the largest is {scale:.3g}"


def apart(one: Tensor, other: Tensor) -> float:
    """The largest difference, relative to the largest number."""
    return float((one - other).abs().max()) / max(float(one.abs().max()), float(other.abs().max()), 1e-300)
