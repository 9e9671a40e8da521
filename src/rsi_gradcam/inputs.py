"""What a model takes as its inputs, and in which layout they are fastest."""

from __future__ import annotations

import sys

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import ModelError, ShapeError

NEVER = sys.maxsize
OUT_OF_MEMORY = ("out of memory", "not enough memory", "can't allocate memory", "alloc_cpu")
NOT_A_VIEW = "view size is not compatible"


def is_out_of_memory(error: BaseException) -> bool:
    message = str(error).lower()
    return isinstance(error, MemoryError) or any(words in message for words in OUT_OF_MEMORY)


def answer(model: nn.Module, images: Tensor) -> object:
    """What the model says, or an error in one line where it cannot take such images."""
    try:
        return model(images)
    except RuntimeError as error:
        if is_out_of_memory(error) or NOT_A_VIEW in str(error):
            raise  # whoever asked knows what to do
        raise ModelError(
            f"the model fails on images of shape {tuple(images.shape)}, {images.dtype}: {first_line(error)}"
        ) from error


def first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def alike(shape: tuple[int, int], size: tuple[int, int]) -> bool:
    """Could a map of this height and width lie over an image of that size, a few rows or columns aside?"""
    return abs(shape[0] * size[1] - shape[1] * size[0]) <= 2 * max(size)


def is_channels_last(shape: tuple[int, ...], size: tuple[int, int]) -> bool:
    """Do the first two of (·, ·, ·) fit the image, and the last two not?"""
    return len(shape) == 3 and alike(shape[:2], size) and not alike(shape[1:], size)


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
