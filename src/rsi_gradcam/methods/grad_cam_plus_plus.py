"""Grad-CAM++: positive gradients weighted by closed-form second and third derivatives of exp(y)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import SPACE
from rsi_gradcam.heatmap import safe_divide
from rsi_gradcam.methods.base import EndpointMethod, combine


@dataclass(frozen=True)
class GradCAMPlusPlus(EndpointMethod):
    """a^k_ij = G² / (2 G² + Σ_ab A^k_ab · G³),  w_k = Σ_ij a^k_ij ReLU(G),  L = ReLU(Σ_k w_k A^k).

    Chattopadhay et al. 2018, for a score exp(S) whose S is the target: use it with `Logit` to follow them.
    """

    name: ClassVar[str] = "grad_cam_plus_plus"
    summary: ClassVar[str] = "positive gradients weighted by higher derivatives"

    def weights(self, A: Tensor, G: Tensor) -> Tensor:
        total = A.sum(SPACE, keepdim=True)  # Σ_ab A^k_ab
        a = safe_divide(G.sign() ** 2, 2 + total * G)  # a^k_ij, with G² taken out of the fraction
        return (a * relu(G)).sum(SPACE)

    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        return combine(self.weights(A, G), A)
