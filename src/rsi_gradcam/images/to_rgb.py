"""Any of Pillow's modes as RGB, as it would look on white paper."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageCms

Values = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def to_rgb(image: Image.Image) -> Image.Image:
    """Transparent parts are laid on white; deep greys are scaled to 8 bits, see `eight_bits`.

    >>> to_rgb(Image.new("RGBA", (1, 1), (255, 0, 0, 0))).getpixel((0, 0))
    (255, 255, 255)
    """
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        image = eight_bits(image)
    if image.mode == "LAB":
        return from_lab(image)
    if image.has_transparency_data:
        return on_white(image)
    return image if image.mode == "RGB" else image.convert("RGB")


def on_white(image: Image.Image) -> Image.Image:
    image = image.convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    return Image.alpha_composite(paper, image).convert("RGB")


def from_lab(image: Image.Image) -> Image.Image:
    lab, rgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(image, lab, rgb, outputMode="RGB")
    assert converted is not None  # it is None only when told to work in place
    return converted


def eight_bits(image: Image.Image) -> Image.Image:
    """A grey image of 16 or 32 bits or of floats, in 8 bits. What is not a number is black."""
    values = np.asarray(image).astype(np.float64)
    black, white = levels(image.mode, values)
    scaled = np.nan_to_num((values - black) / (white - black) * 255, posinf=255, neginf=0)
    return Image.fromarray(scaled.clip(0, 255).round().astype(np.uint8))


def levels(mode: str, values: Values) -> tuple[float, float]:
    """The values of black and white.

    16 bits mean 0 to 65535, and Pillow may hold them as "I"; floats mean 0 to 1, 255 or 65535, whichever they
    fit first. What fits none of these is stretched from its least to its greatest value.
    """
    if mode.startswith("I;16"):
        return 0, 65535
    finite = values[np.isfinite(values)]
    low, high = (finite.min(), finite.max()) if finite.size else (0, 1)
    for white in (1, 255, 65535) if mode == "F" else (65535,):
        if low >= 0 and high <= white:
            return 0, white
    return float(low), float(max(high, low + 1e-9))
