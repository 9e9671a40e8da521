"""Pixel Energy: how much of the heatmap's light falls into the box."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.light import Light, lit


def energy(L: Tensor, inside: Tensor) -> float:
    """Σ_in L / (Σ_in L + Σ_out L); 0 where there is no light at all."""
    L = L.double()
    total = float(L.sum())
    return float(L[inside].sum()) / total if total else 0.0


def weighted(E: float, share: float) -> float:
    """E / a, a the box's share of the photo: 1 by chance. Kohlbrenner et al. 2020, as weighted inside-total ratio."""
    return E / share


def corrected(E: float, share: float) -> float:
    """(E − a) / (1 − a), as Cohen's kappa corrects for chance: 1 all inside, 0 by chance, kept at −1 from below.

    0 where the box is the whole photo, and there is nothing to be won. Chance to the last digit but a few is chance.
    """
    if share >= 1 or math.isclose(E, share, rel_tol=1e-12):
        return 0.0
    return max(-1.0, (E - share) / (1 - share))


@dataclass(frozen=True)
class Energy(Metric):
    """The paper's Pixel Energy, and the same corrected for the size of the box. Wang et al. 2020 (Score-CAM).

    `light` says which map is summed: the heatmap, from which normalising took the minimum; or the raw one as it
    is, which other libraries sum. Where the smallest value is 0 they are the same.
    """

    name: ClassVar[str] = "energy"
    summary: ClassVar[str] = "share of the heatmap's light that falls into the box"
    better: ClassVar[Better] = "higher"
    boxed: ClassVar[bool] = True
    columns: ClassVar[tuple[str, ...]] = ("", "corrected", "weighted")
    headline: ClassVar[tuple[str, ...]] = ("", "corrected")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {"paper": {}, "quantus": {"light": "raw"}}

    light: Light = "heatmap"

    def __post_init__(self) -> None:
        check_choice("light", self.light, Light)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        return told(energy(lit(seen, self.light), seen.mask), seen)

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0, "corrected": -1.0, "weighted": 0.0}

    def worst_of(self, seen: Seen) -> Mapping[str, Value]:
        """As of light that lies wholly outside: a blank map is no worse than the worst that is not."""
        return told(0.0, seen)


def told(E: float, seen: Seen) -> Mapping[str, Value]:
    a = float(seen.mask.double().mean())
    return {"": E, "corrected": corrected(E, a), "weighted": weighted(E, a)}
