"""The whole photo, everywhere alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.controls.base import Control, View


@dataclass(frozen=True)
class Ones(Control):
    """1 at every pixel: what a measure gives to a map that chooses nothing."""

    name: ClassVar[str] = "ones"
    summary: ClassVar[str] = "the whole photo, everywhere alike"
    title: ClassVar[str] = "the all-ones map"

    def map(self, view: View) -> Tensor:
        return torch.ones_like(view.pixels[0])

    def heatmap(self, raw: Tensor, size: tuple[int, int], epsilon: float = 0.0) -> Tensor:  # noqa: ARG002
        """As it is: normalised, 0/0, it would be dark."""
        return raw
