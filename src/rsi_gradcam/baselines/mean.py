"""Each photo's own mean colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from rsi_gradcam.axes import SPACE
from rsi_gradcam.baselines.base import Baseline


@dataclass(frozen=True)
class Mean(Baseline):
    """The photo, all of it in its mean colour: no shape is left, and its light is kept."""

    name: ClassVar[str] = "mean"
    summary: ClassVar[str] = "the photo's own mean colour"

    def images(self, x: Tensor, model: nn.Module) -> Tensor:  # noqa: ARG002
        return x.mean(SPACE, keepdim=True).expand_as(x)
