"""Photos on which a threshold is chosen, apart from those on which it is scored."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np


def choosing(names: Iterable[str], share: float = 0.5, seed: int = 0) -> np.ndarray:
    """(photos,) bool: whether a photo belongs to the choosing ones, by its name alone.

    So it is on the same side in every run, in whatever order, whichever others are there.
    """
    return np.fromiter((place(name, seed) < share for name in names), bool)


def place(name: str, seed: int) -> float:
    """A number from 0 to below 1, as if drawn, by SHA-256."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
