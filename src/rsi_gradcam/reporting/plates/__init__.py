"""The figures of the paper, one per file; `base` says what one is."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache

from rsi_gradcam.catalog import entries
from rsi_gradcam.reporting.plates.base import Drawn, Plate

__all__ = ["Drawn", "Plate", "catalogue"]


@cache
def catalogue() -> Mapping[str, type[Plate]]:
    """Every figure by its name."""
    return entries(sys.modules[__name__], Plate)  # type: ignore[type-abstract]
