"""A page for pictures and words, measured in inches from its upper left corner. The only door to matplotlib.

Figures are made without pyplot, so nothing is global, and each sets its own colours and sizes.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.figures.colours import table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 200
INK, PALE, ALARM = "#1a1a1a", "#5f5f5f", "#b3261e"
ASCENT = 0.76  # of the size of type: how high a capital stands
VECTORS = (".svg", ".pdf")
PIXELS = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")


@dataclass(frozen=True)
class Sheet:
    """A white page of `width` by `height` inches."""

    figure: Figure
    width: float
    height: float

    @classmethod
    def blank(cls, width: float, height: float) -> Sheet:
        try:
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtra("drawing figures", "figures") from error
        figure = Figure((width, height), dpi=DPI, facecolor="white", edgecolor="white")
        figure.set_layout_engine("none")
        FigureCanvasAgg(figure)
        vars(figure)["_repr_png_"] = partial(png, figure)  # so that a notebook shows it without pyplot
        return cls(figure, width, height)

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """A place for data, without frame or ticks."""
        down = self.height - top - height
        axes = self.figure.add_axes(
            (left / self.width, down / self.height, width / self.width, height / self.height), facecolor="white"
        )
        axes.set_axis_off()
        return axes

    def picture(self, image: Image.Image, left: float, top: float, width: float, height: float) -> None:
        """An image that fills the rectangle."""
        self.axes(left, top, width, height).imshow(np.asarray(image), aspect="auto", interpolation="antialiased")

    def words(
        self, text: str, left: float, top: float, size: float = 8, *, colour: str = INK, bold: bool = False
    ) -> None:
        """A line of text whose letters hang from `top`. Nothing in it is taken for a formula."""
        self.figure.text(
            left / self.width,
            1 - (top + ASCENT * size / 72) / self.height,
            text,
            size=size,
            color=colour,
            weight="bold" if bold else "normal",
            ha="left",
            va="baseline",
            parse_math=False,
        )

    def lines(
        self, texts: Sequence[str], left: float, top: float, size: float, *, colour: str = INK, bold: bool = False
    ) -> None:
        """Lines of text, one below the other."""
        for index, text in enumerate(texts):
            self.words(text, left, top + index * line_height(size), size, colour=colour, bold=bold)

    def colour_bar(self, colours: str, left: float, top: float, height: float, width: float = 0.09) -> None:
        """From the map's 0 below to its 1 above."""
        bar = Image.fromarray(table(colours)[::-1, None])
        self.picture(bar, left, top, width, height)
        written = (0.0, 0.5, 1.0) if height > 0.4 else (0.0, 1.0) if height > 0.25 else ()
        for value in written:
            y = top + (1 - value) * (height - ASCENT * 7 / 72)
            self.words(f"{value:g}", left + width + 0.05, y, 7, colour=PALE)


class Wrapper(textwrap.TextWrapper):
    """Names are broken where their words end: after an underscore, a comma or a hyphen."""

    wordsep_re = re.compile(r"(\s+|(?<=\w[_,-])(?=\w))")


def line_height(size: float) -> float:
    """In inches, of type of so many points."""
    return size * 1.3 / 72


def wrapped(text: str, size: float, width: float) -> list[str]:
    """The text in lines about as wide as that: a letter is taken for 0.62 of its height, as bold ones are."""
    return Wrapper(max(8, int(width / (0.62 * size / 72)))).wrap(text)


def to_image(figure: Figure, dpi: int = DPI) -> Image.Image:
    """The figure in RGB."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    before = figure.dpi
    canvas = figure.canvas if isinstance(figure.canvas, FigureCanvasAgg) else FigureCanvasAgg(figure)
    try:
        figure.set_dpi(dpi)
        canvas.draw()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
    finally:
        figure.set_dpi(before)


def png(picture: Figure | Image.Image) -> bytes:
    """A picture as the bytes of a PNG file."""
    image = picture if isinstance(picture, Image.Image) else to_image(picture)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def svg(figure: Figure) -> bytes:
    """A figure as the bytes of an SVG file, the same each time."""
    import matplotlib

    file = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "rsi-gradcam"}):
        figure.savefig(file, format="svg", facecolor="white", metadata={"Date": None})
    return file.getvalue()


def save(picture: Figure | Image.Image, path: str | Path, *, dpi: int = DPI) -> Path:
    """Into a file of the kind that the path's ending says: PNG, JPEG, WebP or TIFF, for figures SVG and PDF too."""
    path = Path(path)
    ending = path.suffix.lower()
    known = PIXELS if isinstance(picture, Image.Image) else (*PIXELS, *VECTORS)
    if ending not in known:
        raise ConfigurationError(f"{path.name!r} does not say how to save it: end it in one of {', '.join(known)}")
    if isinstance(picture, Image.Image):
        picture.save(path)
    elif ending == ".svg":
        path.write_bytes(svg(picture))
    elif ending in VECTORS:
        picture.savefig(path, format=ending[1:], facecolor="white", metadata={"CreationDate": None})
    else:
        to_image(picture, dpi).save(path, dpi=(dpi, dpi))
    return path
