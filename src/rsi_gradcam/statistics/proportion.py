"""A share of photos with its interval."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from rsi_gradcam.statistics.interval import NONE, Interval


def wilson(share: float, count: int, level: float = 0.95) -> Interval:
    """Wilson's: the shares that `share` of `count` would not contradict. Never empty, not even at 0 or 1."""
    if count == 0:
        return NONE
    z = float(ndtri((1 + level) / 2))
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    low, high = ((middle + end) / (1 + z * z / count) for end in (-reach, reach))
    return Interval(low if share > 0 else 0.0, high if share < 1 else 1.0)  # exactly so, whatever was rounded


def is_share(values: np.ndarray) -> bool:
    """Whether a measure says yes or no of each photo, as 1 or 0: in all columns, or else it is chance in one."""
    known = values[~np.isnan(values)]
    return bool(len(known)) and bool(((known == 0) | (known == 1)).all())
