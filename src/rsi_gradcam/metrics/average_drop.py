"""Average drop, increase in confidence, average gain: what the network makes of the explanation map alone."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Probe, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.explanation_map import ExplanationMap, Space
from rsi_gradcam.metrics.fill import Fill
from rsi_gradcam.metrics.score import Score, scores

Change = Literal["relative", "absolute"]


def part(amount: float, whole: float) -> float:
    """amount / whole, and 0 where there is nothing to be a part of."""
    return amount / whole if whole else 0.0


def drop(Y: float, O: float, change: Change = "relative") -> float:  # noqa: E741
    """max(0, Y − O) / |Y|; the paper's without its factor 100. Absolute: without the division."""
    return part(max(0.0, Y - O), abs(Y) if change == "relative" else 1.0)


def gain(Y: float, O: float, change: Change = "relative") -> float:  # noqa: E741
    """max(0, O − Y) / (1 − Y), of probabilities (Zhang et al. 2024, Opti-CAM). Absolute: without the division."""
    return part(max(0.0, O - Y), 1.0 - Y if change == "relative" else 1.0)


def increase(Y: float, O: float, *, strict: bool = True) -> float:  # noqa: E741
    """1 if Y < O, else 0; not strict: if Y ≤ O."""
    return float(Y < O if strict else Y <= O)


@dataclass(frozen=True)
class AverageDrop(Metric):
    """Y is the network's answer to the photo, O the answer to its explanation map. One pass for each map.

    A dark heatmap (below one half everywhere) is never a hit: increase and gain are 0. Where it is black, it
    explains nothing, and its drop is that of O = 0; `explained` is O as the network says it. Where the heatmap is
    1 everywhere, the explanation map is the photo, and O is Y exactly. Chattopadhay et al. 2018.
    """

    name: ClassVar[str] = "average_drop"
    summary: ClassVar[str] = "how much confidence is lost, or won, when only the heatmap's part of the photo is shown"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"drop": "lower"}
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "passes"
    columns: ClassVar[tuple[str, ...]] = ("drop", "increase", "gain", "explained")
    headline: ClassVar[tuple[str, ...]] = ("drop", "increase", "gain")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "paper": {},
        "pytorch-grad-cam": {"space": "normalised", "change": "absolute"},
        "torchcam": {"space": "normalised"},
        "xplique": {"space": "normalised"},
    }

    space: Space = "pixel"
    score: Score = "probability"
    change: Change = "relative"
    strict: bool = True
    fill: Fill | None = None

    def __post_init__(self) -> None:
        check_choice("score", self.score, Score)
        check_choice("change", self.change, Change)
        self.probes()

    def probes(self) -> tuple[Probe, ...]:
        return (ExplanationMap(self.space, self.fill),)

    def asked(self, seen: Seen, answers: Answers) -> tuple[float, float]:
        """Y and O."""
        (Y,) = scores(seen.logits[None], seen.category, self.score).tolist()
        (O,) = scores(answers[self.probes()[0]], seen.category, self.score).tolist()  # noqa: E741
        return Y, Y if bool((seen.heatmap == 1).all()) else O

    def lost(self, seen: Seen, answers: Answers) -> float:
        """The drop."""
        Y, O = self.asked(seen, answers)  # noqa: E741
        return drop(Y, 0.0 if seen.blank and self.score == "probability" else O, self.change)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:
        Y, O = self.asked(seen, answers)  # noqa: E741
        won = 0.0 if seen.dark else gain(Y, O, self.change)
        return {
            "drop": self.lost(seen, answers),
            "increase": 0.0 if seen.dark else increase(Y, O, strict=self.strict),
            "gain": won if self.score == "probability" else math.nan,
            "explained": O,
        }

    def worst(self) -> Mapping[str, Value]:
        bound = 1.0 if self.score == "probability" else math.nan
        return {"drop": bound, "increase": 0.0, "gain": 0.0 * bound, "explained": 0.0 * bound}
