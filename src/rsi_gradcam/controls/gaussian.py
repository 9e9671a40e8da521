"""A bump in the middle, where most photographers put what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.controls.base import Control, View
from rsi_gradcam.errors import ConfigurationError


@dataclass(frozen=True)
class Gaussian(Control):
    """exp(−½ (x/σ_x)² − ½ (y/σ_y)²) from the centre, σ_x = width · W and σ_y = width · H."""

    name: ClassVar[str] = "gaussian"
    summary: ClassVar[str] = "a bump in the middle of the photo"
    title: ClassVar[str] = "the centred Gaussian"

    width: float = 0.25  # σ, as a part of the photo's side

    def __post_init__(self) -> None:
        if not self.width > 0:
            raise ConfigurationError(f"width must be above 0, as a part of the photo's side, got {self.width}")

    def map(self, view: View) -> Tensor:
        down, across = (bell(side, self.width * side, view.pixels) for side in view.pixels.shape[1:])
        return down[:, None] * across


def bell(side: int, sigma: float, like: Tensor) -> Tensor:
    """(side,): the curve's values at the centres of a row of pixels, the middle of which is its peak."""
    offsets = torch.arange(side, dtype=like.dtype, device=like.device) - (side - 1) / 2
    return torch.exp(-0.5 * (offsets / sigma) ** 2)
