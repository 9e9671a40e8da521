"""A black photo, as the model would get it: the paper's baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import PixelBaseline, plain, warn_of_zeros


@dataclass(frozen=True)
class Black(PixelBaseline):
    """Pixels 0, then normalised. Where the normalisation is not known: zeros, and a warning that says so."""

    name: ClassVar[str] = "black"
    summary: ClassVar[str] = "a black photo, made black before normalisation"

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        normalisation = self.normalisation(x, model)
        if normalisation is None:
            warn_of_zeros()
            return torch.zeros_like(x[:1])
        return plain(x, (0.0,), normalisation)
