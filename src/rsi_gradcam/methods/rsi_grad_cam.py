"""RSI-Grad-CAM: Grad-CAM with each gradient integrated against its own activation along the path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import SPACE
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import PathMethod, combine
from rsi_gradcam.stieltjes import Rule, check_rule

UNITS = ("all", "relu", "positive")


@dataclass(frozen=True)
class RSIGradCAM(PathMethod):
    """w_k = (1/Z) Σ_ij Σ_l ∂y(α_l)/∂A^k_ij · ΔA^k_ij(α_l),  L = ReLU(Σ_k w_k A^k).

    `units` says which units count: "all"; "relu", those whose integral is positive; "positive", those whose
    activation, integral and total increment are all positive, as in the paper's experiments.
    `positive_gradients` takes ReLU of the gradient at each step, as the authors' PyTorch notebooks do.
    """

    name: ClassVar[str] = "rsi_grad_cam"
    summary: ClassVar[str] = "channels weighted by their gradients integrated against their own activations"
    paper: ClassVar[Mapping[str, object]] = {"rule": "right", "units": "positive"}

    rule: Rule = "trapezoid"
    units: Literal["all", "relu", "positive"] = "all"
    positive_gradients: bool = False

    def __post_init__(self) -> None:
        check_rule(self.rule)
        if self.units not in UNITS:
            raise ConfigurationError(f"units {self.units!r} is not a selection: {did_you_mean(self.units, UNITS)}")

    @property
    def integral(self) -> UnitIntegral:
        return UnitIntegral(self.rule, self.positive_gradients)  # eq. rs-sum

    def select(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: E741
        if self.units == "relu":
            return relu(I)  # eq. igcam_ssum2
        if self.units == "positive":
            return I * ((A > 0) & (I > 0) & (A - A0 > 0))  # section Implementation
        return I

    def weights(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: E741
        return self.select(I, A, A0).mean(SPACE)  # w_k: eq. igcam_ssum

    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: E741
        return combine(self.weights(I, A, A0), A)  # eq. heatmap, before its ReLU
