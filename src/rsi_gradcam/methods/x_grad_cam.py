"""XGrad-CAM: gradients averaged with the activations as their weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import SPACE
from rsi_gradcam.heatmap import safe_divide
from rsi_gradcam.methods.base import EndpointMethod, combine


@dataclass(frozen=True)
class XGradCAM(EndpointMethod):
    """w_k = Σ_ij (A^k_ij / Σ A^k) ∂y/∂A^k_ij,  L = ReLU(Σ_k w_k A^k). Fu et al. 2020.

    A channel that adds up to 0 has no weight.
    """

    name: ClassVar[str] = "x_grad_cam"
    summary: ClassVar[str] = "channels weighted by gradients averaged where they are active"

    def weights(self, A: Tensor, G: Tensor) -> Tensor:
        return safe_divide((A * G).sum(SPACE), A.sum(SPACE))

    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        return combine(self.weights(A, G), A)
