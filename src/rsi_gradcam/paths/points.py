"""A path through images that the user brings, such as decoded points of a latent path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.errors import BaselineError
from rsi_gradcam.paths.base import Path


@dataclass(frozen=True, eq=False)
class Points(Path):
    """Through `images` (points, channel, height, width), or (batch, points, …), with straight lines between.

    The first is the baseline, the last the image. With steps = points − 1 these are the points that are used.
    """

    name: ClassVar[str] = "points"
    summary: ClassVar[str] = "through images of your own (Python only)"

    images: Tensor

    def check(self, x: Tensor) -> None:
        images = self.images[None] if self.images.dim() == x.dim() else self.images
        if images.dim() != x.dim() + 1 or images.shape[1] < 2 or images.shape[2:] != x.shape[1:]:
            raise BaselineError(
                f"the path's points have shape {tuple(self.images.shape)}, the images {tuple(x.shape)}: give two or "
                f"more points of shape {tuple(x.shape[1:])}"
            )
        if len(images) not in (1, len(x)):
            raise BaselineError(f"{len(images)} paths for {len(x)} images: give one path, or one for each image")
        if not torch.allclose(images[:, -1].to(x).expand_as(x), x, atol=1e-4):
            raise BaselineError("the path's last point is not the image that is explained: end the path at the image")

    def at(self, alpha: Tensor, x: Tensor, baseline: Tensor, rows: Tensor) -> Tensor:  # noqa: ARG002
        images = (self.images[None] if self.images.dim() == x.dim() else self.images).to(x)
        paths = torch.zeros_like(rows) if len(images) == 1 else rows
        place = alpha * (images.shape[1] - 1)
        before = place.floor().clamp(max=images.shape[1] - 2).long()
        rest = (place - before).view(-1, 1, 1, 1)
        return torch.lerp(images[paths, before], images[paths, before + 1], rest)
