"""A tensor that the user brings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.errors import BaselineError


@dataclass(frozen=True, eq=False)
class Given(Baseline):
    """The model's input at the start of the path: one for all images, or one for each."""

    name: ClassVar[str] = "given"
    summary: ClassVar[str] = "a tensor of your own (Python only)"

    tensor: Tensor

    def images(self, x: Tensor, model: nn.Module) -> Tensor:  # noqa: ARG002
        tensor = self.tensor[None] if self.tensor.dim() == x.dim() - 1 else self.tensor
        if tensor.shape[1:] != x.shape[1:] or len(tensor) not in (1, len(x)):
            raise BaselineError(
                f"the baseline has shape {tuple(self.tensor.shape)}, the images {tuple(x.shape)}: "
                f"give one of shape {tuple(x.shape[1:])}, or one for each image"
            )
        if not torch.isfinite(tensor).all():
            raise BaselineError("the baseline has values that are nan or infinite: see how it was made")
        return tensor.to(x).detach()
