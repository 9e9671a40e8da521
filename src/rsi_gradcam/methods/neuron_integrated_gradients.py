"""Neuron Integrated Gradients: Integrated Gradients of one unit of a layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import IMAGE, Evidence, PathMethod, Shape, check_evidence
from rsi_gradcam.stieltjes import Rule, check_rule
from rsi_gradcam.targets import Target, Unit
from rsi_gradcam.targets.unit import as_unit


@dataclass(frozen=True)
class NeuronIntegratedGradients(PathMethod):
    """∫ ∂A^k_ij/∂x dx: what in the image moved this unit, (channel, row, column), whatever the class."""

    name: ClassVar[str] = "neuron_integrated_gradients"
    summary: ClassVar[str] = "each pixel's integral for one unit of the layer"
    paper: ClassVar[Mapping[str, object]] = {"rule": "right", "evidence": "signed"}
    rectified: ClassVar[bool] = False

    unit: Shape = (0, 0, 0)
    rule: Rule = "trapezoid"
    evidence: Evidence = "positive"

    def __post_init__(self) -> None:
        check_rule(self.rule)
        check_evidence(self.evidence)
        object.__setattr__(self, "unit", as_unit(self.unit))

    def site(self, layer: str) -> str:  # noqa: ARG002 - the map lies on the image
        return IMAGE

    def explained(self, target: Target, layer: str) -> Target:  # noqa: ARG002 - the unit takes the class's place
        return Unit(layer, self.unit)

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule)

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002, E741
        return I.sum(CHANNEL)
