"""The photo itself, blurred until nothing can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.errors import BaselineError


@dataclass(frozen=True)
class Blur(Baseline):
    """The photo under a Gaussian of `sigma` pixels."""

    name: ClassVar[str] = "blur"
    summary: ClassVar[str] = "the photo, strongly blurred"

    sigma: float = 20.0

    def __post_init__(self) -> None:
        if not self.sigma > 0:
            raise BaselineError(f"sigma must be above 0 pixels, got {self.sigma}")

    def images(self, x: Tensor, model: nn.Module) -> Tensor:  # noqa: ARG002
        return gaussian_blur(x, self.sigma)


def gaussian_blur(images: Tensor, sigma: float) -> Tensor:
    """A Gaussian of `sigma` pixels over each image, its edges continued outward."""
    for axis in (2, 3):
        images = blur_along(images, sigma, axis)
    return images


def blur_along(images: Tensor, sigma: float, axis: int) -> Tensor:
    radius = max(1, round(3 * sigma))
    offsets = torch.arange(-radius, radius + 1, dtype=images.dtype, device=images.device)
    kernel = torch.exp(-0.5 * (offsets / sigma) ** 2)
    channels = images.shape[1]
    shape = (channels, 1, -1, 1) if axis == 2 else (channels, 1, 1, -1)
    rows = (kernel / kernel.sum()).expand(channels, -1).reshape(shape)
    padding = (0, 0, radius, radius) if axis == 2 else (radius, radius, 0, 0)
    return functional.conv2d(functional.pad(images, padding, mode="replicate"), rows, groups=channels)
