"""A path that a function gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.errors import BaselineError
from rsi_gradcam.paths.base import Path


@dataclass(frozen=True)
class Curve(Path):
    """γ(α) = function(α, row): an image (channel, height, width) for any α in [0, 1] and image of the batch."""

    name: ClassVar[str] = "curve"
    summary: ClassVar[str] = "any function of α, such as a latent path's decoder (Python only)"

    function: Callable[[float, int], Tensor]

    def check(self, x: Tensor) -> None:
        for row, image in enumerate(x):
            end = self.function(1.0, row)
            if end.shape != image.shape or not torch.allclose(end.to(image), image, atol=1e-4):
                raise BaselineError(
                    f"the curve's end for image {row} (shape {tuple(end.shape)}) is not the image that is explained: "
                    f"function(1.0, {row}) must give it back"
                )

    def at(self, alpha: Tensor, x: Tensor, baseline: Tensor, rows: Tensor) -> Tensor:  # noqa: ARG002
        pairs = zip(alpha.tolist(), rows.tolist(), strict=True)
        return torch.stack([self.function(a, row).to(x) for a, row in pairs]).detach()
