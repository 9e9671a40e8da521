"""The XML files in which VOC, and ImageNet after it, say what is where in a photo."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images.box import Box, Size

CORNERS = ("xmin", "ymin", "xmax", "ymax")


class Thing(NamedTuple):
    """One object of a photo."""

    called: str
    box: Box
    difficult: bool


class Annotation(NamedTuple):
    """What one file says."""

    size: Size | None  # of the photo on which the boxes were drawn
    things: tuple[Thing, ...]


def read_annotation(file: Path, first: int) -> Annotation:
    """The things with their boxes by edges, cut at the rim of the photo where its size is told.

    The files count pixels from `first` and give the first and the last one inside. So, of the pixels of an axis,
    the edges are min − first and max − first + 1. A box that is upside down or outside its photo stays as it is, for
    the photo to be refused: without it the photo would seem to have fewer things.
    """
    try:
        root = ElementTree.parse(file).getroot()
    except ElementTree.ParseError as error:
        raise DatasetError(f"{file} is no readable XML ({error}): get the annotations again") from error
    size = size_in(root)
    try:
        things = tuple(thing_in(each, first, size) for each in root.iter("object"))
    except (TypeError, ValueError) as error:
        raise DatasetError(
            f"{file} has an object without a name or a bndbox of four numbers: get the annotations again"
        ) from error
    return Annotation(size, things)


def size_in(root: ElementTree.Element) -> Size | None:
    width, height = root.findtext("size/width", ""), root.findtext("size/height", "")
    if not (width.strip().isdecimal() and height.strip().isdecimal()):
        return None
    return (int(width), int(height)) if int(width) and int(height) else None


def thing_in(element: ElementTree.Element, first: int, size: Size | None) -> Thing:
    corners = element.find("bndbox")
    called = element.findtext("name", "").strip()
    if corners is None or not called:
        raise ValueError(element.tag)
    left, top, right, bottom = (float(corners.findtext(name, "")) for name in CORNERS)
    box = Box(left - first, top - first, right - first + 1, bottom - first + 1)
    cut = box.within(Box.whole(size)) if size else box
    box = cut if cut.width > 0 and cut.height > 0 else box
    return Thing(called, box, element.findtext("difficult", "0").strip() == "1")
