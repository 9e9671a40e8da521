"""How a model's inputs were made from pixels in [0, 1], where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import BaselineError

SLACK = 0.02  # how far beyond [0, 1] resampling may carry a pixel


@dataclass(frozen=True)
class Normalisation:
    """input = (pixel − mean) / std, colour by colour."""

    mean: tuple[float, ...]
    std: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", tuple(float(value) for value in self.mean))
        object.__setattr__(self, "std", tuple(float(value) for value in self.std))
        if len(self.mean) != len(self.std) or not all(value > 0 for value in self.std):
            raise BaselineError(f"mean and std need the same length and std above 0, got {self.mean} and {self.std}")

    def inputs(self, pixels: Tensor) -> Tensor:
        return (pixels - self.column(self.mean, pixels)) / self.column(self.std, pixels)

    def pixels(self, inputs: Tensor) -> Tensor:
        return inputs * self.column(self.std, inputs) + self.column(self.mean, inputs)

    def fits(self, x: Tensor) -> bool:
        """Could these inputs have been made so? They come from pixels between 0 and 1."""
        if x.shape[1] != len(self.mean):
            return False
        pixels = self.pixels(x)
        return bool(pixels.amin() >= -SLACK) and bool(pixels.amax() <= 1 + SLACK)

    @staticmethod
    def column(values: Sequence[float], like: Tensor) -> Tensor:
        if like.shape[-3] != len(values):
            raise BaselineError(f"mean and std have {len(values)} colours, the image has {like.shape[-3]}")
        return torch.tensor(values, dtype=like.dtype, device=like.device).view(-1, 1, 1)


def none(colours: int) -> Normalisation:
    """Of a model that takes pixels as they are, or of which nothing is known."""
    return Normalisation((0.0,) * colours, (1.0,) * colours)


def known_of(model: nn.Module, x: Tensor) -> Normalisation | None:
    """The normalisation that the model itself carries (timm's do), if the inputs agree with it."""
    for name in ("pretrained_cfg", "default_cfg"):
        carried = getattr(model, name, None)
        if isinstance(carried, dict) and carried.get("mean") and carried.get("std"):
            normalisation = Normalisation(carried["mean"], carried["std"])
            return normalisation if normalisation.fits(x) else None
    return None
