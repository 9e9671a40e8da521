"""The straight line between baseline and image."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.paths.base import Path


@dataclass(frozen=True)
class Straight(Path):
    """γ(α) = x' + α (x − x')."""

    name: ClassVar[str] = "straight"
    summary: ClassVar[str] = "a straight line from the baseline to the image"
    from_baseline: ClassVar[bool] = True

    def at(self, alpha: Tensor, x: Tensor, baseline: Tensor, rows: Tensor) -> Tensor:  # noqa: ARG002
        return baseline + alpha.view(-1, 1, 1, 1) * (x - baseline)  # eq. inter_imag
