"""What a model takes as its inputs, and in which layout they are fastest."""

from __future__ import annotations

import sys

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import ModelError, ShapeError

NEVER = sys.maxsize


def channels_last_from(model: nn.Module, x: Tensor) -> int:
    """The number of images from which a batch is faster with its channels innermost.

    On the CPU that is so for two or more, and for a single one unless the network has 1×1 convolutions.
    """
    if x.device.type != "cpu" or x.dtype not in (torch.float32, torch.bfloat16):
        return NEVER
    pointwise = any(isinstance(each, nn.Conv2d) and each.kernel_size == (1, 1) for each in model.modules())
    return 2 if pointwise else 1


def check_images(model: nn.Module, x: Tensor) -> None:
    """An error where the model cannot take these images."""
    if not isinstance(x, Tensor):
        raise ShapeError(f"x must be a tensor (batch, channels, height, width), got {type(x).__name__}")
    if x.dim() != 4 or 0 in x.shape:
        hint = ": add the batch with x[None]" if x.dim() == 3 else ""
        raise ShapeError(f"x must have shape (batch, channels, height, width), got {tuple(x.shape)}{hint}")
    if not x.is_floating_point():
        raise ShapeError(f"x must be of a floating type, got {x.dtype}: convert and normalise it as the model needs")
    if not torch.isfinite(x).all():
        raise ShapeError("x has values that are nan or infinite: see where its preprocessing divides by 0")
    first = next(model.parameters(), None)
    if first is None:
        return
    if first.device != x.device:
        raise ModelError(
            f"x is on {x.device}, the model on {first.device}: move one, as in x.to({str(first.device)!r})"
        )
    if first.dtype != x.dtype and not torch.is_autocast_enabled(x.device.type):
        raise ModelError(f"x is {x.dtype}, the model {first.dtype}: convert one, as in x.to({first.dtype})")
