"""ADCC: average drop, coherency and complexity in one number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from rsi_gradcam.heatmap import upsample
from rsi_gradcam.methods.base import evident
from rsi_gradcam.metrics.average_drop import AverageDrop
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Probe, Seen, Value
from rsi_gradcam.metrics.correlation import pearson
from rsi_gradcam.metrics.explanation_map import ExplanationMap, Space


def coherency(L: Tensor, again: Tensor) -> float:
    """(ρ + 1) / 2, ρ Pearson's correlation of the map with that of its explanation map.

    0 where one of them has one value alone: nothing of it was found again.
    """
    flat = bool(L.amax() == L.amin()) or bool(again.amax() == again.amin())
    return 0.0 if flat else (pearson(L, again) + 1) / 2


def complexity(L: Tensor) -> float:
    """‖L‖₁ / n of the heatmap: its mean."""
    return float(L.double().abs().mean())


def adcc(drop: float, coherent: float, complex_: float) -> float:
    """3 / (1 / coherency + 1 / (1 − complexity) + 1 / (1 − drop)); 0 where one of the three is 0."""
    parts = (coherent, 1 - complex_, 1 - drop)
    return 3 / sum(1 / part for part in parts) if min(parts) > 0 else 0.0


@dataclass(frozen=True)
class ADCC(Metric):
    """Poppi et al. 2021. The drop is `average_drop`'s, a proportion, and shares its pass; coherency needs one
    explanation more, of the explanation map. Maps are correlated at the input's size, as far as they are shown.
    """

    name: ClassVar[str] = "adcc"
    summary: ClassVar[str] = "harmonic mean of confidence kept, coherency, and simplicity"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"complexity": "lower", "drop": "lower"}
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "explanations"
    columns: ClassVar[tuple[str, ...]] = ("", "coherency", "complexity", "drop")
    headline: ClassVar[tuple[str, ...]] = ("", "coherency", "complexity")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "paper": {},
        "pytorch-grad-cam": {"space": "normalised"},
    }

    space: Space = "pixel"

    def __post_init__(self) -> None:
        self.probes()

    def probes(self) -> tuple[Probe, ...]:
        return AverageDrop(self.space).probes()

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:
        if (known := self.beforehand(seen)) is not None:
            return known
        if seen.again is None:
            return self.absent()
        (E,) = seen.preprocess.denormalise(ExplanationMap(self.space).inputs(seen)).clamp(0, 1)
        size = (seen.heatmap.shape[0], seen.heatmap.shape[1])
        again = evident(seen.again.of(E), seen.evidence)
        coherent = coherency(*(upsample(each[None].double(), size)[0] for each in (seen.shown, again)))
        complex_ = complexity(seen.heatmap)
        lost = AverageDrop(self.space).lost(seen, answers)
        return {
            "": adcc(lost, coherent, complex_),
            "coherency": coherent,
            "complexity": complex_,
            "drop": lost,
        }

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0, "coherency": 0.0, "complexity": 1.0, "drop": 1.0}
