"""The bare heatmap as a picture. Needs Pillow only."""

from __future__ import annotations

from PIL import Image
from torch import Tensor

from rsi_gradcam.figures.colours import DEFAULT, colour
from rsi_gradcam.figures.overlay import check
from rsi_gradcam.images import Box, place


def heatmap_picture(heatmap: Tensor, size: tuple[int, int] | None = None, *, colours: str = DEFAULT) -> Image.Image:
    """A heatmap (h, w) in [0, 1] in colours; `size` is (width, height), None: one pixel for each value."""
    check(heatmap)
    values = heatmap.detach().to("cpu").float()
    if size is not None:
        values = place(values, Box.whole(size), size)
    return Image.fromarray(colour(values.numpy(), colours))
