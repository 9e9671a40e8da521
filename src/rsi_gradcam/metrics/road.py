"""ROAD, remove and debias: pixels are guessed from their neighbours, so that no hole gives away where they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Probe, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.imputed import Imputed
from rsi_gradcam.metrics.order import ordered
from rsi_gradcam.metrics.score import scores

Kept = Literal["probability", "accuracy"]


def combined(most: Sequence[float], least: Sequence[float]) -> float:
    """(LeRF − MoRF) / 2, each the mean over the shares."""
    return (sum(least) / len(least) - sum(most) / len(most)) / 2


def kept(logits: Tensor, category: int, score: Kept) -> list[float]:
    """Of the class, (n,): its probability, or 1 where it still comes first."""
    if score == "accuracy":
        return [float(first == category) for first in logits.argmax(1).tolist()]
    return scores(logits, category).tolist()


@dataclass(frozen=True)
class ROAD(Metric):
    """Rong et al. 2022: noisy linear imputation in the network's own space, colour by colour, with `noise` its sigma.

    `most_curve` is what remains of the class after each of the `percentages` of pixels was imputed, the most
    important first (MoRF), `least_curve` likewise (LeRF); `most` and `least` are their means, and the metric itself
    is (least − most) / 2. The noise belongs to the photo and to `seed`, so that all maps of a photo meet the same.
    Two passes and two sparse systems for each of them and each map: at 224 × 224 about a tenth of a second each.
    """

    name: ClassVar[str] = "road"
    summary: ClassVar[str] = "how much more is lost by imputing the most important pixels than the least"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"most": "lower", "most_curve": "lower"}
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "passes"
    columns: ClassVar[tuple[str, ...]] = ("", "most", "least", "most_curve", "least_curve")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "pytorch-grad-cam": {"percentages": range(10, 100, 10)},
        "quantus": {"percentages": range(1, 100, 2), "score": "accuracy"},
    }

    percentages: range | tuple[float, ...] = (20, 40, 60, 80)
    noise: float = 0.01
    score: Kept = "probability"
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "percentages", tuple(self.percentages))  # a range in `repr` would be no plain value
        check_choice("score", self.score, Kept)
        if not self.percentages or not all(0 < each < 100 for each in self.percentages):
            raise ConfigurationError(
                f"percentages must lie between 0 and 100, neither included, got {self.percentages!r}"
            )
        if self.noise < 0:
            raise ConfigurationError(f"noise must be 0 or more, got {self.noise!r}")

    def points(self) -> tuple[float, ...]:
        return tuple(each / 100 for each in self.percentages)

    def probes(self) -> tuple[Probe, ...]:
        shares = self.points()
        return Imputed("most", shares, self.noise, self.seed), Imputed("least", shares, self.noise, self.seed)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:
        if (known := self.beforehand(seen)) is not None:
            return known
        most, least = (kept(answers[probe], seen.category, self.score) for probe in self.probes())
        return {
            "": combined(most, least) if ordered(seen.heatmap) else 0.0,
            **{name: sum(curve) / len(curve) for name, curve in (("most", most), ("least", least))},
            "most_curve": most,
            "least_curve": least,
        }

    def worst(self) -> Mapping[str, Value]:
        count = len(self.percentages)
        return {"": -0.5, "most": 1.0, "least": 0.0, "most_curve": [1.0] * count, "least_curve": [0.0] * count}
