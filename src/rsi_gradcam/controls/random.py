"""Chance, at the layer's resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.controls.base import Control, View


@dataclass(frozen=True)
class Random(Control):
    """Each unit of the layer's map drawn evenly from 0 to 1, by the photo's own seed.

    It has the methods' resolution, so that it is as smooth as they are and differs in nothing but its reasons.
    """

    name: ClassVar[str] = "random"
    summary: ClassVar[str] = "chance, at the layer's resolution"
    title: ClassVar[str] = "chance"
    at_layer: ClassVar[bool] = True

    def map(self, view: View) -> Tensor:
        generator = torch.Generator().manual_seed(view.seed)  # on the CPU: the same numbers on every device
        drawn = torch.rand(view.activations.shape[1:], generator=generator)
        return drawn.to(view.activations)
