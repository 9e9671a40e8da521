"""Methods, layers and classes side by side, in the manner of the paper's figures."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Literal

from PIL import Image

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.figures.arrangement import Explanations, Facet, arranged
from rsi_gradcam.figures.colours import DEFAULT
from rsi_gradcam.figures.look import Look, drawn, fitted, shrunk
from rsi_gradcam.figures.page import BAR, GAP, RIM, SIDE, Page, write
from rsi_gradcam.figures.sheet import Sheet
from rsi_gradcam.methods.base import Method
from rsi_gradcam.zoo.network import Network

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from typing_extensions import Unpack

Show = Literal["overlay", "heatmap", "both"]
SHOWN = ("overlay", "heatmap", "both")


def comparison(
    photo: Image.Image | None,
    explanations: Explanations,
    *,
    row: int = 0,
    network: Network | None = None,
    across: Facet | None = None,
    show: Show = "overlay",
    refused: Collection[tuple[Method, str]] = (),
    **look: Unpack[Look],
) -> Figure:
    """The photo, and beside it a table of maps: as a rule a column for each method, a row for each layer or class.

    photo         None: bare heatmaps only
    explanations  as `explain_all` gives them
    row           which image of the batch it is
    network       for the names of its classes and layers, and for how it took the photo in
    across        what goes from left to right: method, layer or target
    show          overlay, heatmap, or both, the heatmap above
    refused       methods and layers for which there can be no map: their cells say so
    look          as for `overlay`
    """
    if show not in SHOWN:
        raise ConfigurationError(f"show={show!r} is not known: {did_you_mean(str(show), SHOWN)}")
    table = arranged(explanations, across)
    for explanation in table.explanations:
        captions.check_row(explanation, row)
    pictures = {place: drawings(photo, each, row, network, show, look) for place, each in table.cells().items()}
    images = next(iter(pictures.values()))
    page = Page(table, row, network, fitted(images[0].size, SIDE), len(images), photo is not None, frozenset(refused))
    sheet = Sheet.blank(page.width, page.height)
    write(sheet, page)
    if photo is not None:
        sheet.picture(shrunk(photo), RIM, page.first_top, *page.cell)
    for place, images in pictures.items():
        for image, top in zip(images, page.levels(*place), strict=True):
            sheet.picture(image, page.left(place[1]), top, *page.cell)
    top, bottom = page.first_top, page.last_edge
    sheet.colour_bar(look.get("colours", DEFAULT), page.width - RIM - BAR + GAP, top, bottom - top)
    return sheet.figure


def drawings(
    photo: Image.Image | None, explanation: Explanation, row: int, network: Network | None, show: Show, look: Look
) -> list[Image.Image]:
    """The pictures of one cell, from above."""
    if show == "overlay" or photo is None:
        return [drawn(photo, explanation, row, network, look)]
    bare: Look = {**look, "alpha": 1.0, "fade": False}
    heatmap = drawn(photo, explanation, row, network, bare)
    return [heatmap] if show == "heatmap" else [heatmap, drawn(photo, explanation, row, network, look)]
