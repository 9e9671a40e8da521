"""LayerCAM: each unit weighted by its own gradient where that is positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.methods.base import EndpointMethod


@dataclass(frozen=True)
class LayerCAM(EndpointMethod):
    """L = ReLU(Σ_k ReLU(∂y/∂A^k) ⊙ A^k). Jiang et al. 2021."""

    name: ClassVar[str] = "layer_cam"
    summary: ClassVar[str] = "each unit weighted by its own positive gradient"

    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        return (relu(G) * A).sum(CHANNEL)
