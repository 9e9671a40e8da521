"""Grad-CAM: the layer's channels weighted by the mean of their gradients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import SPACE
from rsi_gradcam.methods.base import EndpointMethod, combine


@dataclass(frozen=True)
class GradCAM(EndpointMethod):
    """w_k = (1/Z) Σ_ij ∂y/∂A^k_ij,  L = ReLU(Σ_k w_k A^k). Selvaraju et al. 2017.

    `positive` averages the positive gradients alone.
    """

    name: ClassVar[str] = "grad_cam"
    summary: ClassVar[str] = "channels weighted by their mean gradient at the image"
    paper: ClassVar[Mapping[str, object]] = {"positive": True}

    positive: bool = False

    def weights(self, A: Tensor, G: Tensor) -> Tensor:  # noqa: ARG002
        if self.positive:
            return relu(G).mean(SPACE)  # w_k: eq. gradcam_weights2
        return G.mean(SPACE)  # w_k: eq. gradcam_weights

    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        return combine(self.weights(A, G), A)  # eq. heatmap, before its ReLU
