"""Maps and photos as very small files: a map is a palette of 64 colours, of which the page makes any size."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image
from torch import Tensor

from rsi_gradcam.figures.colours import colour
from rsi_gradcam.figures.overlay import SHADE
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.images import to_rgb
from rsi_gradcam.reporting.report.markup import data_uri

LEVELS = 64
SMOOTH = 28  # pixels: smaller maps are drawn at least so large, so that every browser smooths them alike
MOST = 56
PHOTO = 240  # pixels of a photo's longer side
COVER = 0.75  # how much of the photo the colours cover where the map is 1


def map_uri(heatmap: Tensor, *, veil: bool) -> str:
    """A heatmap (h, w) in [0, 1]; as a veil, it covers less where it is low."""
    drawn = resized(heatmap)
    levels = np.linspace(0, 1, LEVELS, dtype=np.float32)
    image = Image.fromarray((drawn.numpy().clip(0, 1) * (LEVELS - 1)).round().astype(np.uint8), "L").convert("P")
    image.putpalette(colour(levels).tobytes())
    opaque = COVER * (SHADE + (1 - SHADE) * levels) if veil else np.ones(LEVELS)
    file = io.BytesIO()
    more = {"transparency": bytes((opaque * 255).round().astype(np.uint8))} if veil else {}
    image.save(file, "PNG", optimize=True, bits=6, **more)
    return data_uri(file.getvalue(), "image/png")


def resized(heatmap: Tensor) -> Tensor:
    """Between SMOOTH and MOST pixels along its shorter and its longer side."""
    height, width = heatmap.shape
    scale = max(1.0, SMOOTH / min(height, width))
    scale = min(scale, max(1.0, MOST / max(height, width)))
    shrink = min(1.0, MOST / max(height, width))
    size = (max(1, round(height * scale * shrink)), max(1, round(width * scale * shrink)))
    return upsample(heatmap[None], size)[0]


def photo_uri(photo: Image.Image) -> str:
    small = to_rgb(photo).copy()
    small.thumbnail((PHOTO, PHOTO), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "JPEG", quality=78, optimize=True)
    return data_uri(file.getvalue(), "image/jpeg")
