"""A white photo, as the model would get it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from rsi_gradcam.baselines.base import PixelBaseline, plain


@dataclass(frozen=True)
class White(PixelBaseline):
    """Pixels 1, then normalised."""

    name: ClassVar[str] = "white"
    summary: ClassVar[str] = "a white photo"

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        return plain(x, (1.0,), self.needed(x, model))
