"""Dark heatmaps: maps that normalising with ε leaves below one half everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value

DECADES = tuple(float(f"1e-{power}") for power in range(4, 17))


def darkness(L: Tensor, epsilons: Sequence[float], below: float = 0.5) -> list[float]:
    """For each ε, 1 if (L_max − L_min) / (L_max − L_min + ε) < `below`, or the map has no range; else 0."""
    extent = float(L.double().amax() - L.double().amin())
    return [float(extent == 0 or extent / (extent + epsilon) < below) for epsilon in epsilons]


def is_even(L: Tensor) -> bool:
    """Is the map without range?"""
    return bool(L.amax() == L.amin())


@dataclass(frozen=True)
class Darkness(Metric):
    """Whether the raw map, as far as it is shown, is a dark heatmap: at `epsilon`, and at each of `epsilons`.

    The mean over photos is the share of dark heatmaps. It hangs on the scale of the raw map: `dynamic_range` does
    not. With ε = 0 only a map without range is dark; and not even that, if its heatmap is lit all the same: the
    control of ones, which is not normalised.
    """

    name: ClassVar[str] = "darkness"
    summary: ClassVar[str] = "whether normalising with ε leaves the heatmap below one half everywhere"
    better: ClassVar[Better] = "lower"
    columns: ClassVar[tuple[str, ...]] = ("", "curve")
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "paper": {},
        "pytorch-grad-cam": {"epsilon": 1e-7},
        "torchcam": {"epsilon": 1e-8},
    }

    epsilon: float = 1e-8
    epsilons: tuple[float, ...] = DECADES
    below: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilons", tuple(self.epsilons))
        if min(self.epsilon, *self.epsilons) < 0:
            raise ConfigurationError(
                f"epsilon and epsilons must be 0 or more, got {self.epsilon!r}, {self.epsilons!r}"
            )
        if not 0 < self.below < 1:
            raise ConfigurationError(f"below must be between 0 and 1, got {self.below!r}: the paper has 0.5")

    def points(self) -> Sequence[float]:
        return self.epsilons

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        here, *curve = darkness(seen.shown, (self.epsilon, *self.epsilons), self.below)
        if is_even(seen.shown) and not seen.blank:
            here, curve = 0.0, [0.0] * len(curve)
        return {"": here, "curve": curve}

    def worst(self) -> Mapping[str, Value]:
        return {"": 1.0, "curve": [1.0] * len(self.epsilons)}
