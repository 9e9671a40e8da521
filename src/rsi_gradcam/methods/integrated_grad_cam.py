"""Integrated Grad-CAM: the mean of Grad-CAM maps along the path, each of the change since the baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import SPACE
from rsi_gradcam.integrals import Integral
from rsi_gradcam.methods.base import PathMethod, combine
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class MapIntegral(Integral):
    """∫ ReLU(Σ_k (Σ_ij ∂y/∂A^k_ij) Δ_k(α)) dα with Δ_k(α) = A^k(α) − A^k(0): eq. igradcam."""

    def integrand(self, A: Tensor, G: Tensor, A0: Tensor) -> Tensor:
        return relu(combine(G.sum(SPACE), A - A0))

    def integrator(self, A: Tensor, alpha: Tensor) -> Tensor:
        return alpha.to(A)

    def size(self, gap: Tensor) -> Tensor:
        return gap.abs().sum()


@dataclass(frozen=True)
class IntegratedGradCAM(PathMethod):
    """M = (1/m) Σ_l ReLU(Σ_k Σ_ij ∂y(α_l)/∂A^k_ij Δ_k(α_l)). Sattarzadeh et al. 2021."""

    name: ClassVar[str] = "integrated_grad_cam"
    summary: ClassVar[str] = "the mean of Grad-CAM maps along the path"

    rule: Rule = "trapezoid"

    def __post_init__(self) -> None:
        check_rule(self.rule)

    @property
    def integral(self) -> MapIntegral:
        return MapIntegral(self.rule)  # eq. igradcam_approx

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I  # its ReLU stands inside the integral
