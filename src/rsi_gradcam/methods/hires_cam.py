"""HiResCAM: each unit weighted by its own gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.methods.base import EndpointMethod


@dataclass(frozen=True)
class HiResCAM(EndpointMethod):
    """L = ReLU(Σ_k ∂y/∂A^k ⊙ A^k). Draelos and Carin 2020."""

    name: ClassVar[str] = "hires_cam"
    summary: ClassVar[str] = "each unit weighted by its own gradient, no pooling"

    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        return (G * A).sum(CHANNEL)
