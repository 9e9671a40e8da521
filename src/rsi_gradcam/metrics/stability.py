"""Stability: does the map keep its order when the arithmetic gets finer?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from rsi_gradcam.heatmap import normalise
from rsi_gradcam.methods.base import evident
from rsi_gradcam.metrics.base import Answers, Better, Metric, Seen, Value
from rsi_gradcam.metrics.correlation import spearman


def stability(single: Tensor, double: Tensor) -> float:
    """Spearman's rank correlation of the maps in float32 and float64; one below 0 is no agreement either: 0."""
    return max(0.0, spearman(single.double(), double.double()))


def difference(single: Tensor, double: Tensor) -> float:
    """Mean |L_norm − L'_norm| of the two, with ε = 0."""
    return float((normalise(single.double()) - normalise(double.double())).abs().mean())


@dataclass(frozen=True)
class Stability(Metric):
    """The map of the run against that of the network, the walk and the sums in float64. One explanation.

    Neither number hangs on the scale of the maps. Ties have one rank, so that what underflows to 0 costs.
    """

    name: ClassVar[str] = "stability"
    summary: ClassVar[str] = "rank correlation of the map with the same in float64"
    better: ClassVar[Better] = "higher"
    better_by: ClassVar[Mapping[str, Better]] = {"difference": "lower"}
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "explanations"
    columns: ClassVar[tuple[str, ...]] = ("", "difference")
    headline: ClassVar[tuple[str, ...]] = ("", "difference")

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        if seen.again is None:
            return self.absent()
        finer = evident(seen.again.in_double(), seen.evidence)
        return {"": stability(seen.shown, finer), "difference": difference(seen.shown, finer)}

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0, "difference": 1.0}
