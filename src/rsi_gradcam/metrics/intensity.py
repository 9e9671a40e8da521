"""Intensity: the mean of a map before and after normalisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.heatmap import normalise
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.darkness import is_even


def intensity(L: Tensor) -> float:
    """The mean over all pixels."""
    return float(L.double().mean())


@dataclass(frozen=True)
class Intensity(Metric):
    """The mean pixel of the raw map, and of what is shown of it after normalisation with ε, at the map's resolution.

    Neither is good or bad: the paper's raw means near 0 tell that normalising divides by next to nothing, and a
    normalised mean near 0 that ε has darkened the map. The raw mean scales with the map. A map without range whose
    heatmap is lit all the same, the control of ones, was not normalised: its heatmap's mean is told.
    """

    name: ClassVar[str] = "intensity"
    summary: ClassVar[str] = "mean pixel of the map, raw and normalised"
    better: ClassVar[Better] = "neither"
    columns: ClassVar[tuple[str, ...]] = ("raw", "normalised")
    headline: ClassVar[tuple[str, ...]] = ("raw", "normalised")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "paper": {},
        "pytorch-grad-cam": {"epsilon": 1e-7},
        "torchcam": {"epsilon": 1e-8},
    }

    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        if self.epsilon < 0:
            raise ConfigurationError(f"epsilon must be 0 or more, got {self.epsilon!r}: the paper has 1e-8")

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        L_norm = normalise(seen.shown.double()[None], self.epsilon)[0]
        if is_even(seen.shown) and not seen.blank:
            L_norm = seen.heatmap
        return {"raw": intensity(seen.raw), "normalised": intensity(L_norm)}

    def worst(self) -> Mapping[str, Value]:
        return {"raw": 0.0, "normalised": 0.0}
