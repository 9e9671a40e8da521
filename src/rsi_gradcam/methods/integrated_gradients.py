"""Integrated Gradients: the integral of the gradient at the input itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import IMAGE, Evidence, PathMethod, check_evidence
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class IntegratedGradients(PathMethod):
    """IG_i = (x_i − x'_i) · (1/m) Σ_l ∂F(x' + (l/m)(x − x'))/∂x_i, summed over colours. Sundararajan et al. 2017.

    The layer is the input. `evidence` says what the heatmap shows of the signed map.
    """

    name: ClassVar[str] = "integrated_gradients"
    summary: ClassVar[str] = "each pixel's integral along the path (Integrated Gradients)"
    paper: ClassVar[Mapping[str, object]] = {"rule": "right", "evidence": "signed"}
    rectified: ClassVar[bool] = False

    rule: Rule = "trapezoid"
    evidence: Evidence = "positive"

    def __post_init__(self) -> None:
        check_rule(self.rule)
        check_evidence(self.evidence)

    def site(self, layer: str) -> str:  # noqa: ARG002 - the image is the layer
        return IMAGE

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule)  # eq. igapprox: dx = (x − x') / m on a straight line

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I.sum(CHANNEL)
