"""Layer conductance: each unit's integral, along the path that the images take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import Evidence, PathMethod, check_evidence
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class LayerConductance(PathMethod):
    """L' = Σ_k Σ_l ∂y(α_l)/∂A^k · ΔA^k(α_l). Dhamdhere et al. 2018.

    The same integral as RSI-HiResCAM, shown as the paper shows layer attributions: signed, max–min normalised.
    """

    name: ClassVar[str] = "layer_conductance"
    summary: ClassVar[str] = "each unit's flow of score along the path of images, summed over channels"
    rectified: ClassVar[bool] = False

    rule: Rule = "trapezoid"
    evidence: Evidence = "signed"

    def __post_init__(self) -> None:
        check_rule(self.rule)
        check_evidence(self.evidence)

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule)  # eq. rs-sum

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I.sum(CHANNEL)
