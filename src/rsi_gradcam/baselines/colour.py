"""A photo of any one colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from rsi_gradcam.baselines.base import Colours, PixelBaseline, plain


@dataclass(frozen=True)
class Colour(PixelBaseline):
    """One colour, given in [0, 1] for each channel, then normalised. Grey where none is given."""

    name: ClassVar[str] = "colour"
    summary: ClassVar[str] = "one colour of your choice (grey)"

    colour: Colours = (0.5,)

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        return plain(x, self.colour, self.needed(x, model))
