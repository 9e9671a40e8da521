"""What a control is shown, small."""

from __future__ import annotations

import torch
from torch import Tensor

from rsi_gradcam.controls import View


def view(height: int = 12, width: int = 16, *, seed: int = 0, inside: Tensor | None = None) -> View:
    generator = torch.Generator().manual_seed(100 + seed)
    if inside is None:
        inside = torch.zeros(height, width, dtype=torch.bool)
        inside[3:8, 2:11] = True
    pixels = torch.rand(3, height, width, generator=generator)
    activations = torch.randn(5, 4, 6, generator=generator)
    return View(pixels, inside, activations, seed)
