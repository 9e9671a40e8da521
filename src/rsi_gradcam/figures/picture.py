"""One explanation as one titled figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image

from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.figures.colours import DEFAULT
from rsi_gradcam.figures.look import Look, drawn, fitted, shrunk
from rsi_gradcam.figures.sheet import ALARM, PALE, Sheet, line_height, wrapped
from rsi_gradcam.figures.shown import CLIPPED, is_of_pixels
from rsi_gradcam.zoo.network import Network

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from typing_extensions import Unpack

SIDE = 3.2  # inches, of a picture's longer side
NARROW = 3.0  # the page is at least so wide, for its words
RIM, GAP, BAR = 0.15, 0.1, 0.35
TITLE, HEAD, NOTE = 11.0, 9.0, 7.5  # sizes of type in points


def picture(
    photo: Image.Image | None,
    explanation: Explanation,
    *,
    row: int = 0,
    network: Network | None = None,
    **look: Unpack[Look],
) -> Figure:
    """The photo, its overlay, and in words what they show and how far that can be trusted.

    photo     None: the bare heatmap alone
    row       which image of the batch it is
    network   for the names of its classes and layers, and for how it took the photo in
    look      as for `overlay`
    """
    captions.check_row(explanation, row)
    images = [drawn(photo, explanation, row, network, look)]
    if photo is not None:
        images.insert(0, shrunk(photo))
    width, height = fitted(images[-1].size, SIDE)
    across = len(images) * (width + GAP)
    inside = max(across + BAR, NARROW)
    title = wrapped(captions.class_title(explanation, row, network), TITLE, inside)
    place = wrapped(captions.place_title(explanation, network), HEAD, inside)
    notes = footnotes(explanation, row, inside)
    second = RIM + line_height(TITLE) * len(title) + GAP / 2
    top = second + line_height(HEAD) * len(place) + GAP
    below = top + height + GAP
    sheet = Sheet.blank(inside + 2 * RIM, below + line_height(NOTE) * len(notes) + RIM / 2)
    sheet.lines(title, RIM, RIM, TITLE, bold=True)
    sheet.lines(place, RIM, second, HEAD)
    for index, image in enumerate(images):
        sheet.picture(image, RIM + index * (width + GAP), top, width, height)
    sheet.colour_bar(look.get("colours", DEFAULT), RIM + across, top, height)
    for index, (note, colour) in enumerate(notes):
        sheet.words(note, RIM, below + index * line_height(NOTE), NOTE, colour=colour)
    return sheet.figure


def footnotes(explanation: Explanation, row: int, width: float) -> list[tuple[str, str]]:
    """Lines and their colours: the numbers first, then what is wrong."""
    clipped = [CLIPPED] if is_of_pixels(explanation) else []
    numbers = " · ".join([captions.passes(explanation, row), *captions.trust(explanation, row), *clipped])
    alarms = [line for found in diagnose(explanation, row) for line in wrapped(str(found), NOTE, width)]
    return [*((line, PALE) for line in wrapped(numbers, NOTE, width)), *((line, ALARM) for line in alarms)]
