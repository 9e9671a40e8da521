"""Thresholds, and how many pixels are above each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError

Above = Literal[">", ">="]


def thresholds(step: float, *, ends: bool = False) -> tuple[float, ...]:
    """step, 2 step … below 1; with 0 and 1 at the `ends`.

    >>> thresholds(0.25)
    (0.25, 0.5, 0.75)
    """
    intervals = check_step(step)
    inner = [round(number / intervals, 12) for number in range(1, intervals)]
    return (0.0, *inner, 1.0) if ends else tuple(inner)


def check_step(step: float) -> int:
    """How many steps make 1."""
    intervals = round(1 / step) if 0 < step <= 0.5 else 0
    if not intervals or abs(intervals * step - 1) > 1e-9:
        raise ConfigurationError(f"step must go into 1 without a rest, twice or more, got {step!r}: 0.05 does")
    return intervals


def above(values: Tensor, grid: Sequence[float], sign: Above = ">") -> np.ndarray:
    """(thresholds,): how many of the values are above each threshold."""
    rising = np.sort(values.cpu().numpy(), axis=None)
    return len(rising) - np.searchsorted(rising, np.array(grid), side="right" if sign == ">" else "left")


def best_elsewhere(curves: np.ndarray, choosing: np.ndarray) -> tuple[int, float] | None:
    """The point of the best mean over the photos of the `choosing` split, and its mean over the others.

    The curves are (photos, points); those with nan are no curves. None where a split has none.
    """
    known = np.isfinite(curves).all(1)
    if not (known & choosing).any() or not (known & ~choosing).any():
        return None
    best = int(curves[known & choosing].mean(0).argmax())
    return best, float(curves[known & ~choosing, best].mean())
