"""RSI-HiResCAM: RSI-Grad-CAM without the pooling, one weight for each unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import Evidence, PathMethod, check_evidence
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class RSIHiResCAM(PathMethod):
    """L_ij = Σ_k ∫ ∂y/∂A^k_ij dA^k_ij. Signed; at a cut of the network it adds up to y(image) − y(baseline)."""

    name: ClassVar[str] = "rsi_hires_cam"
    summary: ClassVar[str] = "each place's own integral: a signed map that adds up to the change of the score"
    rectified: ClassVar[bool] = False

    rule: Rule = "trapezoid"
    evidence: Evidence = "positive"

    def __post_init__(self) -> None:
        check_rule(self.rule)
        check_evidence(self.evidence)

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule)  # eq. rs-sum

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I.sum(CHANNEL)
