"""Dynamic range: what of a map's arithmetic survived, on no scale and with no ε."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value


def dynamic_range(L: Tensor) -> float:
    """log10(max |L| / min |L|) over the pixels that are not exactly 0: decades; 0 where all are."""
    sizes = L[L != 0].double().abs()
    return math.log10(float(sizes.max()) / float(sizes.min())) if len(sizes) else 0.0


def zero_share(L: Tensor) -> float:
    """Of the pixels that are exactly 0."""
    return float((L == 0).double().mean())


@dataclass(frozen=True)
class DynamicRange(Metric):
    """Of the raw map, as far as it is shown: decades from the smallest pixel that is not 0 to the largest; the share
    of pixels that are exactly 0; and whether all are, so that no ε whatever brings back a map.

    A positive factor changes none of the three, unless it drives values below the smallest number there is.
    """

    name: ClassVar[str] = "dynamic_range"
    summary: ClassVar[str] = "decades that the raw map's values span, and how many of them are exactly 0"
    better: ClassVar[Better] = "neither"
    better_by: ClassVar[Mapping[str, Better]] = {"zero": "lower"}
    columns: ClassVar[tuple[str, ...]] = ("", "zero", "zero_share")
    headline: ClassVar[tuple[str, ...]] = ("", "zero", "zero_share")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {}

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        L, share = seen.shown, zero_share(seen.shown)
        return {"": dynamic_range(L), "zero": float(share == 1), "zero_share": share}

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0, "zero": 1.0, "zero_share": 1.0}
