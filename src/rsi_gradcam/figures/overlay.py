"""A heatmap laid over its photo, exactly where the network saw it. Needs Pillow only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError, ShapeError
from rsi_gradcam.figures.colours import DEFAULT, Values, colour
from rsi_gradcam.figures.lines import draw_box, draw_contour
from rsi_gradcam.images import Box, Preprocess, place, to_rgb

SHADE = 0.45  # how much of the cover is left where the map is 0
GREY = 0.85  # how much of the photo's colour goes under a full cover, so that the map's is told from it
VEIL = 0.6  # of white over what the network did not see: a map is dark where it is low, so that must not be


def overlay(
    photo: Image.Image,
    heatmap: Tensor,
    *,
    preprocess: Preprocess | None = None,
    colours: str = DEFAULT,
    alpha: float = 0.7,
    fade: bool = True,
    threshold: float | None = None,
    boxes: Sequence[tuple[float, float, float, float]] = (),
) -> Image.Image:
    """The photo in its own size under the colours of a heatmap (h, w) in [0, 1], of any resolution.

    preprocess  how the network got the photo: the map lies over the part that it saw, the rest is veiled;
                None: it saw all of it, squashed
    alpha       how much the colours cover, 0 to 1; 0 is the photo itself
    fade        cover less where the map is low, over a paler photo; False covers all alike, as in the paper
    threshold   draw the contour of the region where the map is at least so high
    boxes       rectangles to draw, in the photo's pixels
    """
    check(heatmap, alpha, threshold)
    photo = to_rgb(photo)
    placed = laid_over(heatmap, photo, preprocess)
    under = Image.blend(photo, to_rgb(photo.convert("L")), alpha * GREY) if fade else photo
    covered = Image.composite(cover(placed, photo, colours), under, mask(placed, alpha, fade=fade))
    if threshold is not None:
        covered = draw_contour(covered, placed, threshold)
    for box in boxes:
        covered = draw_box(covered, Box(*box))
    return covered


def laid_over(heatmap: Tensor, photo: Image.Image, preprocess: Preprocess | None) -> Values:
    """The map at each pixel of the photo; nan where the network did not see it."""
    values = heatmap.detach().to("cpu", torch.float32)
    whole = Box.whole(photo.size)
    placed = place(values, whole if preprocess is None else preprocess.window(photo.size), photo.size)
    return placed.numpy()


def cover(placed: Values, photo: Image.Image, colours: str) -> Image.Image:
    """What lies over the photo: the map's colours, and its own greys behind a veil where there is no map."""
    unseen = np.isnan(placed)
    covering = colour(np.where(unseen, 0, placed), colours)
    if unseen.any():
        greys = np.asarray(photo.convert("L"))[unseen]
        covering[unseen] = (greys * (1 - VEIL) + 255 * VEIL).astype(np.uint8)[:, None]
    return Image.fromarray(covering)


def mask(placed: Values, alpha: float, *, fade: bool) -> Image.Image:
    """How much of the cover is taken at each pixel, 0 to 255; all of the veil from alpha = 0.5."""
    share = alpha * (SHADE + (1 - SHADE) * placed if fade else np.ones_like(placed))
    share = np.where(np.isnan(placed), min(1, 2 * alpha), share)
    return Image.fromarray((share * 255).round().astype(np.uint8))


def check(heatmap: Tensor, alpha: float = 1.0, threshold: float | None = None) -> None:
    if heatmap.dim() != 2 or not heatmap.is_floating_point():
        raise ShapeError(
            f"a heatmap is floats (height, width), got {heatmap.dtype} {tuple(heatmap.shape)}: "
            f"of an explanation take .heatmap[0]"
        )
    if not bool(heatmap.detach().isfinite().all()):
        raise ConfigurationError(
            "a heatmap lies in [0, 1], this one holds nan or infinity: check the network's weights and preprocessing"
        )
    low, high = (float(end) for end in heatmap.detach().aminmax())
    if not (low >= 0 and high <= 1):
        raise ConfigurationError(
            f"a heatmap lies in [0, 1], this one goes from {low:.3g} to {high:.3g}: take .heatmap, not .raw"
        )
    for name, value in (("alpha", alpha), ("threshold", threshold)):
        if value is not None and not 0 <= value <= 1:
            raise ConfigurationError(f"{name} lies between 0 and 1, got {value!r}")
