"""Holm's correction for many comparisons."""

from __future__ import annotations

import numpy as np


def holm(p: np.ndarray) -> np.ndarray:
    """Each p as if it were the only one: the i-th smallest of m times m − i + 1, never below a smaller one's.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    raised = np.minimum(np.maximum.accumulate(factors * p[order]), 1.0)
    found = np.empty_like(raised)
    found[order] = raised
    return found
