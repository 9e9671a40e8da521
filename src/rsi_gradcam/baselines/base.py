"""What a baseline is: the image where the path starts, in which nothing is meant to be seen."""

from __future__ import annotations

import sys
import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import BaselineError
from rsi_gradcam.normalisation import Normalisation, known_of

PACKAGE = Path(__file__).parent.parent

Colours = tuple[float, ...]


class UnknownNormalisation(UserWarning):
    """The model's normalisation is not known, so black cannot be made."""


class Baseline(ABC):
    """A frozen description of the start of the path."""

    name: ClassVar[str]
    summary: ClassVar[str]

    @abstractmethod
    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        """The baseline of each image of the batch, or one (1, channel, height, width) that serves them all."""

    def parts(self) -> tuple[Baseline, ...]:
        """The baselines over which the integral is averaged: itself alone, but for `Averaged` and samples."""
        return (self,)


@dataclass(frozen=True)
class PixelBaseline(Baseline):
    """A baseline made of pixels in [0, 1] and then normalised as the model's inputs were.

    `mean` and `std` are the model's; left out, they are taken from the model where it carries them.
    """

    mean: Colours | None = None
    std: Colours | None = None

    def normalisation(self, x: Tensor, model: nn.Module) -> Normalisation | None:
        if (self.mean is None) != (self.std is None):
            raise BaselineError(f"{type(self).__name__} needs mean and std together, got only one of them")
        if self.mean is not None and self.std is not None:
            return Normalisation(self.mean, self.std)
        return known_of(model, x)

    def needed(self, x: Tensor, model: nn.Module) -> Normalisation:
        """The normalisation, or an error: a colour cannot be made without."""
        found = self.normalisation(x, model)
        if found is None:
            raise BaselineError(
                f"baseline {self.name!r} is made of pixels, and how this model's inputs were normalised is not "
                f"known: say it with {type(self).__name__}(mean=…, std=…), zeros and ones if they were not"
            )
        return found


def plain(x: Tensor, colour: Colours, normalisation: Normalisation) -> Tensor:
    """One image (1, channel, height, width) of one colour, as the model's input."""
    colour = colour * x.shape[1] if len(colour) == 1 else colour
    if len(colour) != x.shape[1]:
        raise BaselineError(f"the colour {colour} has {len(colour)} values, the image {x.shape[1]} channels")
    pixels = torch.tensor(colour, dtype=x.dtype, device=x.device).view(1, -1, 1, 1)
    return normalisation.inputs(pixels.expand(1, *x.shape[1:]))


def warn_of_zeros() -> None:
    warnings.warn(
        "how this model's inputs were normalised is not known, so the baseline is zeros: mean grey if they "
        "were. For black give baseline=Black(mean=…, std=…) or a tensor; to keep zeros, a tensor of zeros.",
        UnknownNormalisation,
        stacklevel=levels_to_the_user(),
    )


def levels_to_the_user() -> int:
    """How far up the first caller outside this package is, so that the warning points at the user's line."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(str(PACKAGE)):
        frame, level = frame.f_back, level + 1
    return level
