"""Lines on a picture, light between two dark rims, so that they show on anything."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

from rsi_gradcam.figures.colours import Values
from rsi_gradcam.images import Box

Mask = npt.NDArray[np.bool_]

CONTOUR = (255, 255, 255)
FRAME = (64, 224, 255)
RIM = (0, 0, 0)


def line_width(size: tuple[int, int]) -> int:
    """1 pixel on a network's input, 2 or 3 on a photo for the screen, more on a large one."""
    return max(1, round(min(size) / 200))


def draw_contour(picture: Image.Image, placed: Values, threshold: float) -> Image.Image:
    """The edge of the region where the map is at least the threshold. Where the map ends, it stays open."""
    width = line_width(picture.size)
    away = distance(placed, threshold, width)
    picture = painted(picture, RIM, ramp(away, 1.5 * width) * 0.6)
    return painted(picture, CONTOUR, ramp(away, 0.5 * width + 0.25))


def distance(placed: Values, level: float, width: int) -> Values:
    """About how many pixels it is to where the map crosses the level; infinite far from there."""
    if min(placed.shape) < 2:
        return np.full_like(placed, math.inf)
    down, across = np.gradient(placed)
    slope = np.hypot(down, across)
    away = np.full_like(placed, math.inf)
    np.divide(np.abs(placed - level), slope, out=away, where=near_edge(placed >= level, 2 * width + 1) & (slope > 0))
    return away


def near_edge(region: Mask, reach: int) -> Mask:
    """Where both sides of the region's edge are within reach, so that a blur mixes them."""
    blurred = Image.fromarray(region.astype(np.uint8) * 255).filter(ImageFilter.BoxBlur(reach))
    mixed = np.asarray(blurred)
    return (mixed > 0) & (mixed < 255)


def ramp(away: Values, reach: float) -> Values:
    """1 within reach, and down to 0 over one pixel, so that the edge is smooth."""
    return (reach + 0.5 - away).clip(0, 1)


def painted(picture: Image.Image, ink: tuple[int, int, int], share: Values) -> Image.Image:
    mask = Image.fromarray((share * 255).round().astype(np.uint8))
    return Image.composite(Image.new("RGB", picture.size, ink), picture, mask)


def draw_box(picture: Image.Image, box: Box) -> Image.Image:
    """A rectangle whose line lies inside the box's edges, between two rims of one pixel."""
    width = line_width(picture.size)
    drawn = picture.copy()
    left, top, right, bottom = (math.floor(edge + 0.5) for edge in box)
    pen = ImageDraw.Draw(drawn)
    pen.rectangle((left - 1, top - 1, right, bottom), outline=RIM, width=width + 2)
    pen.rectangle((left, top, right - 1, bottom - 1), outline=FRAME, width=width)
    return drawn
