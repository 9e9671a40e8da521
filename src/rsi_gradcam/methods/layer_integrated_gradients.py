"""Layer Integrated Gradients: Integrated Gradients of the part of the network above the layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import Evidence, PathMethod, check_evidence
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class LayerIntegratedGradients(PathMethod):
    """L = (A(1) − A(0)) ⊙ (1/m) Σ_l ∂y(α_l)/∂A with A(α) = A(0) + α (A(1) − A(0)), summed over channels.

    The path is straight in the layer's own space: the layer's output is replaced, not the image.
    """

    name: ClassVar[str] = "layer_integrated_gradients"
    summary: ClassVar[str] = "Integrated Gradients with the layer's activations as the input"
    rectified: ClassVar[bool] = False
    walk: ClassVar[Literal["image", "layer"]] = "layer"  # eq. ig_at_layer_inter

    rule: Rule = "trapezoid"
    evidence: Evidence = "signed"

    def __post_init__(self) -> None:
        check_rule(self.rule)
        check_evidence(self.evidence)

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule)  # eq. ig_to_layer: dA = (A(1) − A(0)) / m

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I.sum(CHANNEL)  # L' = Σ_k L^k
