"""Deletion and insertion: the class's probability while pixels go, or come back, in the order of importance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Probe, Seen, Value
from rsi_gradcam.metrics.fill import Fill
from rsi_gradcam.metrics.order import ordered
from rsi_gradcam.metrics.removed import Removed
from rsi_gradcam.metrics.score import scores


def area(curve: Sequence[float]) -> float:
    """Under a curve over [0, 1], at even distances, by trapezoids."""
    inner = sum(curve) - (curve[0] + curve[-1]) / 2
    return inner / (len(curve) - 1)


@dataclass(frozen=True)
class DeletionInsertion(Metric):
    """Areas under two curves over the share of pixels, of which there are `steps` steps. Petsiuk et al. 2018 (RISE).

    `deletion`: pixels are replaced by the `fill`, the most important first. `insertion`: they come back upon the
    `insertion_fill` (the same if None), the most important first; read backwards this curve is the removal of the
    least important first. `least_minus_most` is the area of that removal less the deletion's, both with `fill`:
    with one fill for all it is `insertion_minus_deletion`. Ties stand in reading order; a map of one value gives
    no order, so that its differences are 0. Passes for each map: 2 steps − 1, with a second fill 4 steps − 1.
    """

    name: ClassVar[str] = "deletion_insertion"
    summary: ClassVar[str] = "areas under the probability as the most important pixels are taken away, or put back"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"deletion": "lower", "deletion_curve": "lower"}
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "passes"
    columns: ClassVar[tuple[str, ...]] = (
        "deletion",
        "insertion",
        "insertion_minus_deletion",
        "least_minus_most",
        "deletion_curve",
        "insertion_curve",
    )
    headline: ClassVar[tuple[str, ...]] = ("deletion", "insertion", "least_minus_most")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "torchcam": {"steps": 20, "fill": "zero"},
        "quantus": {"fill": "lowest"},
        "xplique": {"steps": 10, "fill": "zero"},
    }

    steps: int = 10
    fill: Fill = "black"
    insertion_fill: Fill | None = None

    def __post_init__(self) -> None:
        if self.steps < 2:
            raise ConfigurationError(f"steps must be 2 or more, got {self.steps!r}: 10 is usual")
        self.probes()

    def points(self) -> Sequence[float]:
        return [step / self.steps for step in range(self.steps + 1)]

    def probes(self) -> tuple[Probe, ...]:
        inner, every = tuple(self.points()[1:-1]), tuple(self.points()[1:])
        alike = (Removed("most", every, self.fill), Removed("least", inner, self.fill))
        another = self.insertion_fill or self.fill
        return alike if another == self.fill else (*alike, Removed("least", every, another))

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:
        if (known := self.beforehand(seen)) is not None:
            return known
        whole = seen.probability
        most, least, *other = [scores(answers[probe], seen.category).tolist() for probe in self.probes()]
        deletion, removal = [whole, *most], [whole, *least, most[-1]]
        insertion = [whole, *other[0]][::-1] if other else removal[::-1]
        return {
            "deletion": area(deletion),
            "insertion": area(insertion),
            "insertion_minus_deletion": area(insertion) - area(deletion) if ordered(seen.heatmap) else 0.0,
            "least_minus_most": area(removal) - area(deletion) if ordered(seen.heatmap) else 0.0,
            "deletion_curve": deletion,
            "insertion_curve": insertion,
        }

    def worst(self) -> Mapping[str, Value]:
        full, none = [1.0] * (self.steps + 1), [0.0] * (self.steps + 1)
        areas = {"deletion": 1.0, "insertion": 0.0, "insertion_minus_deletion": -1.0, "least_minus_most": -1.0}
        return {**areas, "deletion_curve": full, "insertion_curve": none}
