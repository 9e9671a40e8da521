"""Sparseness: the Gini index of a map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.light import Light, lit


def gini(L: Tensor, epsilon: float = 0.0) -> float:
    """Σ_i (2i − n − 1) a_i / (n Σ_i a_i), the a_i being |L| / max |L| + ε in rising order; 0 for a map of 0."""
    a = np.sort(L.abs().cpu().numpy(), axis=None).astype(float)
    if a[-1] == 0:
        return 0.0
    a = a / a[-1] + epsilon
    n = len(a)
    return float((2 * np.arange(1, n + 1) - n - 1) @ a / (n * a.sum()))


@dataclass(frozen=True)
class Sparseness(Metric):
    """The Gini index of the absolute values: 0 where all pixels are alike, near 1 where one has all the light.

    Chalasani et al. 2020. `light` as for `energy`: a map from which the minimum was taken is sparser.
    """

    name: ClassVar[str] = "sparseness"
    summary: ClassVar[str] = "Gini index of the heatmap: how few pixels hold its light"
    better: ClassVar[Better] = "higher"
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "quantus": {"light": "raw", "epsilon": 1e-7},
        "xplique": {"light": "raw"},
    }

    light: Light = "heatmap"
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        check_choice("light", self.light, Light)
        if not self.epsilon >= 0:
            raise ConfigurationError(f"epsilon must be 0 or more, got {self.epsilon!r}")

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        return {"": gini(lit(seen, self.light), self.epsilon)}

    def worst(self) -> Mapping[str, Value]:
        return {"": 0.0}
