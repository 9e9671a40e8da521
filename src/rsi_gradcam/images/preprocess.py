"""From a photo to a network's input, and the way back for maps and boxes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.images.box import Box, Size
from rsi_gradcam.images.place import place
from rsi_gradcam.images.to_rgb import to_rgb
from rsi_gradcam.normalisation import Normalisation

Mode = Literal["squash", "crop"]
Interpolation = Literal["nearest", "bilinear", "bicubic", "lanczos"]
Colour = tuple[float, float, float]
PRESETS = ("imagenet", "keras_vgg")


@dataclass(frozen=True)
class Preprocess:
    """input = (pixels − mean) / std of the photo resized to size / crop_pct, of which the centre is taken.

    "squash" resizes each side for itself, as the paper did; "crop" keeps the photo's proportions and fits its
    shorter side. With crop_pct = 1 "squash" shows the network the whole photo. Sizes of inputs are (height,
    width) as in tensors; sizes of photos (width, height) as in Pillow.
    """

    size: tuple[int, int] = (224, 224)
    mode: Mode = "crop"
    interpolation: Interpolation = "bilinear"
    mean: Colour = (0.485, 0.456, 0.406)
    std: Colour = (0.229, 0.224, 0.225)
    crop_pct: float = 1.0

    def __post_init__(self) -> None:
        if len(self.size) != 2 or not all(isinstance(side, int) and side > 0 for side in self.size):
            raise ConfigurationError(f"size must be (height, width) in whole pixels, got {self.size!r}")
        for name, kind in (("mode", Mode), ("interpolation", Interpolation)):
            value = getattr(self, name)
            if value not in get_args(kind):
                raise ConfigurationError(f"{name} {value!r} is not known: {did_you_mean(str(value), get_args(kind))}")
        if not 0 < self.crop_pct <= 1:
            raise ConfigurationError(f"crop_pct must be above 0 and at most 1, got {self.crop_pct!r}")
        if not len(self.mean) == len(self.std) == 3 or min(self.std) <= 0:
            raise ConfigurationError(f"mean and std are three numbers each, std above 0, got {self.mean}, {self.std}")

    @classmethod
    def imagenet(cls, size: tuple[int, int] = (224, 224)) -> Preprocess:
        """What most networks for ImageNet expect: the centre, seven eighths of the short side."""
        return cls(size, "crop", "bilinear", crop_pct=0.875)

    @classmethod
    def keras_vgg(cls) -> Preprocess:
        """The paper's, for VGG's original weights: squashed as by Keras, 0 to 255 less the mean colour."""
        mean = (123.68 / 255, 116.779 / 255, 103.939 / 255)
        return cls((224, 224), "squash", "nearest", mean, (1 / 255, 1 / 255, 1 / 255))

    @classmethod
    def preset(cls, name: str) -> Preprocess:
        """One of PRESETS by its name."""
        if name not in PRESETS:
            raise ConfigurationError(f"{name!r} is no way of preprocessing: {did_you_mean(name, PRESETS)}")
        return cls.keras_vgg() if name == "keras_vgg" else cls.imagenet()

    def resizing(self, mode: Mode) -> Preprocess:
        """The same in another way of making photos fit: "squash" shows the whole photo, "crop" its middle."""
        return replace(self, mode=mode, crop_pct=1.0 if mode == "squash" else self.crop_pct)

    def __call__(self, photo: Image.Image) -> Tensor:
        """(3, height, width), normalised."""
        return self.normalise(self.pixels(photo))

    def pixels(self, photo: Image.Image) -> Tensor:
        """(3, height, width) in 0..1: what the network sees, before normalisation."""
        height, width = self.size
        resized = to_rgb(photo).resize(self.resized(photo.size), Image.Resampling[self.interpolation.upper()])
        left, top = self.corner(resized.size)
        seen = resized.crop((left, top, left + width, top + height))
        return torch.from_numpy(np.array(seen)).permute(2, 0, 1).contiguous().float() / 255

    def normalise(self, pixels: Tensor) -> Tensor:
        """(…, 3, height, width) from 0..1 to what the network expects."""
        return self.normalisation.inputs(pixels)

    def denormalise(self, x: Tensor) -> Tensor:
        """The pixels of an input: the reverse of `normalise`."""
        return self.normalisation.pixels(x)

    @property
    def normalisation(self) -> Normalisation:
        """Mean and std as the baselines take them."""
        return Normalisation(self.mean, self.std)

    def window(self, photo_size: Size) -> Box:
        """The part of the photo that the network sees; its edges may fall inside a pixel."""
        resized = self.resized(photo_size)
        left, top = self.corner(resized)
        height, width = self.size
        seen = Box(left, top, left + width, top + height)
        return seen.carried(Box.whole(resized), Box.whole(photo_size))

    def place(self, heatmap: Tensor, photo_size: Size, outside: float = math.nan) -> Tensor:
        """A map (…, h, w) of the input, of any resolution, over the photo: (…, height, width)."""
        return place(heatmap, self.window(photo_size), photo_size, outside)

    def box_to_input(self, box: tuple[float, float, float, float], photo_size: Size) -> Box:
        """A box of the photo in the input's pixels, cut at its rim; without area if none of it was seen."""
        seen = Box.whole((self.size[1], self.size[0]))
        return Box(*box).carried(self.window(photo_size), seen).within(seen)

    def box_to_photo(self, box: tuple[float, float, float, float], photo_size: Size) -> Box:
        """A box of the input in the photo's pixels."""
        return Box(*box).carried(Box.whole((self.size[1], self.size[0])), self.window(photo_size))

    def resized(self, photo_size: Size) -> Size:
        """Width and height before the centre is cut out. Whole numbers as torchvision's Resize makes them."""
        height, width = (math.floor(side / self.crop_pct + 1e-6) for side in self.size)
        photo_width, photo_height = photo_size
        if self.mode == "squash":
            return width, height
        if photo_height * width <= photo_width * height:
            return height * photo_width // photo_height, height
        return width, width * photo_height // photo_width

    def corner(self, resized: Size) -> tuple[int, int]:
        """Left and top of the centre, rounded as torchvision's CenterCrop does."""
        height, width = self.size
        return round((resized[0] - width) / 2), round((resized[1] - height) / 2)
