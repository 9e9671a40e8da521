"""A table of photos, labels and boxes: the form for data of one's own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from rsi_gradcam.datasets.base import Example
from rsi_gradcam.datasets.photo_files import PhotoFiles, by_label, photo_of
from rsi_gradcam.datasets.table import Row, rows_of
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images.box import Box, Size

PATHS = ("path", "filename")
LABELS = ("label", "class_index", "class_name")
EDGES = ("xmin", "ymin", "xmax", "ymax")
SIZES = ("width", "height")
NEEDED = ", ".join((PATHS[0], LABELS[0], *EDGES))
KNOWN = (*PATHS, *LABELS, *EDGES, *SIZES)


@dataclass(frozen=True)
class Manifest(PhotoFiles):
    """A row for each box: path, label, xmin, ymin, xmax, ymax; several rows for a photo of several boxes.

    `file` is CSV or Parquet. The photo's column may be called filename; the label's class_index or class_name.
    A label of digits is an index of the network's classes, any other a name; a photo with several labels is an
    example for each. Rows or tables without edges are photos without boxes. Columns width and height, if there
    are any, are those of the photo on which the boxes were drawn. Photos are looked for below `root`, else beside
    the file, else in the folder images beside it. With `inclusive` xmax and ymax are the last pixels inside, as
    in ImageNet's lists, not edges. With `stored` boxes were drawn on the photos as stored, not turned upright.
    No box is clipped: one that is upside down or outside its photo is a mistake.
    """

    file: str
    root: str = ""
    inclusive: bool = False
    stored: bool = False

    name: ClassVar[str] = "manifest"
    summary: ClassVar[str] = "a CSV or Parquet table of photos, labels and boxes"

    def as_stored(self) -> bool:
        return self.stored

    def read(self) -> Iterator[Example]:
        listed: dict[str, dict[int | str | None, list[Box]]] = {}
        sizes: dict[str, Size | None] = {}
        for place, row in rows_of(Path(self.file), KNOWN, partial(check, self.file)):
            photo = next(row[column] for column in PATHS if column in row)
            if not photo:
                raise DatasetError(f"{place} names no photo: write its path")
            boxes = listed.setdefault(photo, {}).setdefault(label_in(row), [])
            sizes[photo] = size_in(row, place)
            boxes += box_in(row, place, sizes[photo], 1.0 if self.inclusive else 0.0)
        for photo, labelled in listed.items():
            yield from by_label(photo, labelled, sizes[photo])

    def path(self, example: Example) -> Path:
        photo = photo_of(example)
        if self.root:
            return Path(self.root, photo)
        beside, below = Path(self.file).parent / photo, Path(self.file).parent / "images" / photo
        return below if below.is_file() and not beside.is_file() else beside


def check(file: str, columns: Sequence[str]) -> None:
    if not any(columns):
        raise DatasetError(f"{file} is empty: its first line names the columns, {NEEDED}")
    missing = [" or ".join(names) for names in (PATHS, LABELS) if not set(names) & set(columns)]
    edges = [name for name in EDGES if name not in columns]
    missing += edges if len(edges) < len(EDGES) else []
    if missing:
        there = ", ".join(columns)
        raise DatasetError(f"{file} has no column {', '.join(missing)}: it has {there}; needed are {NEEDED}")


def label_in(row: Row) -> int | str | None:
    said = next((row[column] for column in LABELS if row.get(column)), None)
    return int(said) if said is not None and said.isdecimal() else said


def size_in(row: Row, place: str) -> Size | None:
    if not all(row.get(side) for side in SIZES):
        return None
    width, height = (number(row[side], side, place) for side in SIZES)
    return int(width), int(height)


def box_in(row: Row, place: str, size: Size | None, beyond: float) -> list[Box]:
    """The row's box, if it has one. `beyond` the last pixel is its edge."""
    written = [row.get(edge, "") for edge in EDGES]
    if not any(written):
        return []
    left, top, right, bottom = (number(said, edge, place) for said, edge in zip(written, EDGES, strict=True))
    box = Box(left, top, right + beyond, bottom + beyond)
    if box.width <= 0 or box.height <= 0:
        raise DatasetError(f"{place} has a box upside down: xmin < xmax and ymin < ymax, got {', '.join(written)}")
    if left < 0 or top < 0 or (size is not None and (box.right > size[0] or box.bottom > size[1])):
        photo = f"0, 0, {size[0]}, {size[1]}" if size else "0, 0, …"
        raise DatasetError(f"{place} has a box outside its photo ({photo}): got {', '.join(written)}")
    return [box]


def number(said: str, column: str, place: str) -> float:
    try:
        value = float(said)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DatasetError(f"{place} has {said!r} for {column}: a number of pixels is needed")
    return value
