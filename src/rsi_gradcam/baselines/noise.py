"""Uniform noise over all colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import PixelBaseline


@dataclass(frozen=True)
class Noise(PixelBaseline):
    """Each pixel's colours drawn evenly from [0, 1], then normalised. The same for the same seed, everywhere."""

    name: ClassVar[str] = "noise"
    summary: ClassVar[str] = "uniform noise, seeded"

    seed: int = 0

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        generator = torch.Generator().manual_seed(self.seed)
        pixels = torch.rand((1, *x.shape[1:]), generator=generator, dtype=torch.float64)
        return self.needed(x, model).inputs(pixels.to(x))
