"""What a method adds up along the path: an integrand against an integrator, sampled where the sweep looks.

Equal integrals are equal objects, so that methods which need the same one share it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from rsi_gradcam.axes import SPACE
from rsi_gradcam.stieltjes import Rule, check_rule


@dataclass(frozen=True)
class Integral(ABC):
    """∫ F dZ along the path. `rule` is for fixed steps; with a tolerance the sum is refined instead."""

    rule: Rule = "trapezoid"

    def __post_init__(self) -> None:
        check_rule(self.rule)

    @abstractmethod
    def integrand(self, A: Tensor, G: Tensor, A0: Tensor) -> Tensor:
        """F at one point of the path, from the activations, their gradient, and the activations at its start."""

    @abstractmethod
    def integrator(self, A: Tensor, alpha: Tensor) -> Tensor:
        """Z at one point of the path."""

    @abstractmethod
    def size(self, gap: Tensor) -> Tensor:
        """One number for how much an interval's gap (right sum − left sum) matters."""


@dataclass(frozen=True)
class UnitIntegral(Integral):
    """∫ ∂y/∂A · dA for each unit of the layer: eq. rs-sum.

    `positive_gradients` takes ReLU of the gradient at each step.
    """

    positive_gradients: bool = False

    def integrand(self, A: Tensor, G: Tensor, A0: Tensor) -> Tensor:  # noqa: ARG002
        return functional.relu(G) if self.positive_gradients else G

    def integrator(self, A: Tensor, alpha: Tensor) -> Tensor:  # noqa: ARG002
        return A

    def size(self, gap: Tensor) -> Tensor:
        return gap.sum(SPACE).abs().sum()  # a channel's units are pooled before they count: it scored best
