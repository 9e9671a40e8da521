"""Where a mean would lie if other photos of the same kind had been taken."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri


class Interval(NamedTuple):
    """From low to high; nan where there is none, as of a single photo."""

    low: float
    high: float

    @property
    def exists(self) -> bool:
        return not (math.isnan(self.low) or math.isnan(self.high))

    def holds(self, value: float) -> bool:
        """Whether the value lies within. An interval that does not exist excludes nothing."""
        return not self.exists or self.low <= value <= self.high


NONE = Interval(math.nan, math.nan)
ROUNDING = 1e-9  # of the spread: less than that is arithmetic


def bias_corrected(
    means: np.ndarray, draws: np.ndarray, acceleration: np.ndarray, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """The BCa interval of each column (Efron 1987): the quantiles are moved by bias and skewness.

    z0 = Φ⁻¹(part of the draws below the mean), α = Φ(z0 + (z0 + z)/(1 − a (z0 + z))) for z = Φ⁻¹((1 ∓ level)/2).
    Where no draw differs from another there is no z0, and the plain quantiles are taken.
    """
    hair = ROUNDING * np.ptp(draws, axis=0)  # draws that are the mean but for rounding are ties with it
    below = ((draws < means - hair).mean(0) + (draws <= means + hair).mean(0)) / 2
    z0 = ndtri(below)
    ordered = np.sort(draws, axis=0)
    low, high = (quantiles(ordered, moved(z0, acceleration, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    return np.where(np.abs(low) <= hair, 0.0, low), np.where(np.abs(high) <= hair, 0.0, high)


def moved(z0: np.ndarray, acceleration: np.ndarray, tail: float) -> np.ndarray:
    """Which quantile of the draws stands for this one of the mean; the same one where there is no z0."""
    shifted = z0 + ndtri(tail)
    with np.errstate(invalid="ignore"):
        alpha = ndtr(z0 + shifted / (1 - acceleration * shifted))
    return np.where(np.isfinite(z0) & np.isfinite(alpha), alpha, tail)


def quantiles(ordered: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Of each column its own quantile, between two draws by a straight line."""
    place = np.clip(shares, 0, 1) * (len(ordered) - 1)
    under = np.floor(place).astype(int)
    above = np.minimum(under + 1, len(ordered) - 1)
    columns = np.arange(ordered.shape[1])
    low = ordered[under, columns]
    found: np.ndarray = low + (place - under) * (ordered[above, columns] - low)
    return found


def acceleration(influence: np.ndarray) -> np.ndarray:
    """a = Σ u³ / (6 (Σ u²)^(3/2)) of each column: how skewed a single picture's part in the mean is."""
    largest = np.abs(influence).max(0, initial=0.0)
    u = influence / np.where(largest == 0, 1.0, largest)  # a has no scale, cubes of small numbers vanish
    squares = (u**2).sum(0)
    found: np.ndarray = (u**3).sum(0) / np.where(squares == 0, 1.0, 6 * squares**1.5)
    return found
