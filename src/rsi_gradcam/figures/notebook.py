"""An explanation as a notebook shows it of itself: bare heatmaps, since it does not hold the photo."""

from __future__ import annotations

import base64
import html

from PIL import Image

from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.look import fitted
from rsi_gradcam.figures.sheet import png
from rsi_gradcam.figures.shown import shown

SHOWN = 8  # maps side by side
SIDE, GAP = 224, 8  # pixels


def strip(explanation: Explanation) -> Image.Image:
    """The first few heatmaps of the batch, side by side."""
    width, height = (round(side) for side in fitted(explanation.size[::-1], SIDE))
    count = min(SHOWN, len(explanation.raw))
    maps = [heatmap_picture(shown(explanation, row), (width, height)) for row in range(count)]
    paper = Image.new("RGB", (len(maps) * (width + GAP) - GAP, height), "white")
    for index, picture in enumerate(maps):
        paper.paste(picture, (index * (width + GAP), 0))
    return paper


def as_png(explanation: Explanation) -> bytes:
    return png(strip(explanation))


def as_html(explanation: Explanation) -> str:
    picture = base64.b64encode(as_png(explanation)).decode()
    count = len(explanation.raw)
    more = f", the first {SHOWN} of {count}" if count > SHOWN else ""
    caption = html.escape(repr(explanation) + more)
    return (
        f'<figure style="margin:0"><img src="data:image/png;base64,{picture}" alt="{caption}">'
        f"<figcaption><code>{caption}</code></figcaption></figure>"
    )
