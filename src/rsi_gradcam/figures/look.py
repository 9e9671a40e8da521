"""How the overlays inside a figure look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from PIL import Image

from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.colours import DEFAULT
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.overlay import overlay
from rsi_gradcam.figures.shown import shown
from rsi_gradcam.images import Box, Preprocess, to_rgb
from rsi_gradcam.zoo.network import Network

MOST = 1000  # pixels along the longer side of a photo inside a figure


class Look(TypedDict, total=False):
    """The keywords of `overlay`."""

    preprocess: Preprocess | None
    colours: str
    alpha: float
    fade: bool
    threshold: float | None
    boxes: Sequence[tuple[float, float, float, float]]


def drawn(
    photo: Image.Image | None, explanation: Explanation, row: int, network: Network | None, look: Look
) -> Image.Image:
    """The overlay of one image of the batch, at a figure's resolution; its bare heatmap without a photo."""
    heatmap = shown(explanation, row)
    if photo is None:
        height, width = explanation.size
        return heatmap_picture(heatmap, (width, height), colours=look.get("colours", DEFAULT))
    small = shrunk(photo)
    before, after = Box.whole(photo.size), Box.whole(small.size)
    settled: Look = {"preprocess": network.preprocess if network else None, **look}
    settled["boxes"] = [Box(*box).carried(before, after) for box in look.get("boxes", ())]
    return overlay(small, heatmap, **settled)


def fitted(size: tuple[int, int], side: float) -> tuple[float, float]:
    """Width and height in inches of an image whose longer side is `side`."""
    scale = side / max(size)
    return size[0] * scale, size[1] * scale


def shrunk(photo: Image.Image) -> Image.Image:
    """A photo no larger than a figure can show."""
    small = to_rgb(photo).copy()
    small.thumbnail((MOST, MOST), Image.Resampling.LANCZOS)
    return small
