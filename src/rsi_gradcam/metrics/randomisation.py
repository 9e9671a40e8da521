"""The sanity check of randomised parameters: a map of what the network learnt must change when that is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.methods.base import evident
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.correlation import ALIKE, Alike


def similarity(L: Tensor, other: Tensor, alike: Alike = "spearman", *, absolute: bool = False) -> float:
    """From −1 to 1; 0 where only one of the two has a single value. Of the sizes alone, if `absolute`."""
    return ALIKE[alike](L.abs(), other.abs()) if absolute else ALIKE[alike](L, other)


@dataclass(frozen=True)
class Randomisation(Metric):
    """Adebayo et al. 2018, from the output downwards: rank correlation of the map with those of networks whose last
    `shares` of layers were drawn anew, with one `seed` for all photos: ρ at each share is the `curve`. The metric is
    the mean of |ρ| over the shares, `last` that at the largest of them: a map turned inside out has kept its order,
    and 0 is as it should be. A map that cannot change is 1. An explanation for each share.

    Maps are compared at their own resolution, as far as they are shown.
    """

    name: ClassVar[str] = "randomisation"
    summary: ClassVar[str] = "how like the map stays when layers, from the last down, are drawn anew"
    better: ClassVar[Better] = "lower"
    better_by: ClassVar[Mapping[str, Better]] = {"curve": "neither"}  # of both signs, and best in the middle
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "explanations"
    columns: ClassVar[tuple[str, ...]] = ("", "last", "curve")
    headline: ClassVar[tuple[str, ...]] = ("", "last")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "quantus": {"absolute": True, "seed": 42},
        "xplique": {"shares": (0.25,), "seed": 42},
    }

    shares: tuple[float, ...] = (0.25, 0.5, 1.0)
    alike: Alike = "spearman"
    absolute: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "shares", tuple(self.shares))
        check_choice("alike", self.alike, Alike)
        if not self.shares or not all(0 < share <= 1 for share in self.shares):
            raise ConfigurationError(f"shares must be above 0 and at most 1, got {self.shares!r}")

    def points(self) -> Sequence[float]:
        return self.shares

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        if seen.again is None:
            return self.absent()
        others = [evident(seen.again.randomised(share, self.seed), seen.evidence) for share in self.shares]
        return self.told([similarity(seen.shown, L, self.alike, absolute=self.absolute) for L in others])

    def worst(self) -> Mapping[str, Value]:
        return self.told([1.0] * len(self.shares))

    def told(self, curve: Sequence[float]) -> Mapping[str, Value]:
        largest = max(range(len(curve)), key=lambda index: self.shares[index])
        return {"": sum(map(abs, curve)) / len(curve), "last": abs(curve[largest]), "curve": curve}
