"""From the blurred image to the sharp one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.baselines.blur import gaussian_blur
from rsi_gradcam.errors import BaselineError
from rsi_gradcam.paths.base import Path


@dataclass(frozen=True)
class Unblur(Path):
    """γ(α) = x under a Gaussian of σ (1 − α) pixels. It starts at the blurred image, whatever the baseline."""

    name: ClassVar[str] = "unblur"
    summary: ClassVar[str] = "the image getting sharp, from a blurred one (its own baseline)"

    sigma: float = 20.0

    def __post_init__(self) -> None:
        if not self.sigma > 0:
            raise BaselineError(f"sigma must be above 0 pixels, got {self.sigma}")

    def at(self, alpha: Tensor, x: Tensor, baseline: Tensor, rows: Tensor) -> Tensor:  # noqa: ARG002
        return torch.cat([self.sharpen(a, image[None]) for a, image in zip(alpha.tolist(), x, strict=True)])

    def sharpen(self, alpha: float, image: Tensor) -> Tensor:
        sigma = self.sigma * (1 - alpha)
        return gaussian_blur(image, sigma) if sigma > 1e-3 else image
