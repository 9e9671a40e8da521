"""Complexity: the entropy of a map."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.metrics.base import Answers, Better, Metric, Preset, Seen, Value
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.light import Light, lit


def entropy(L: Tensor) -> float:
    """−Σ_i q_i ln q_i, q = |L| / Σ |L|, in nats; that of a map of 0 is ln n, as if alike everywhere."""
    sizes = L.double().abs().flatten()
    total = sizes.sum()
    if total == 0:
        return math.log(len(sizes))
    return float(torch.special.entr(sizes / total).sum())


@dataclass(frozen=True)
class Complexity(Metric):
    """The entropy of the absolute values over that of a map that is alike everywhere: from 0, one pixel, to 1.

    Bhatt et al. 2020. Quantus and Xplique give it in nats: the same times ln of the number of pixels.
    """

    name: ClassVar[str] = "complexity"
    summary: ClassVar[str] = "entropy of the heatmap, from 0 for one pixel to 1 for all alike"
    better: ClassVar[Better] = "lower"
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {
        "quantus": {"light": "raw"},
        "xplique": {"light": "raw"},
    }

    light: Light = "heatmap"

    def __post_init__(self) -> None:
        check_choice("light", self.light, Light)

    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:  # noqa: ARG002
        if (known := self.beforehand(seen)) is not None:
            return known
        L = lit(seen, self.light)
        return {"": entropy(L) / math.log(L.numel())}

    def worst(self) -> Mapping[str, Value]:
        return {"": 1.0}
