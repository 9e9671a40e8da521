"""What the data sets that are files have in common: read once, and photos given as their boxes were drawn."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from PIL import Image

from rsi_gradcam.datasets.base import Dataset, Example
from rsi_gradcam.errors import DatasetError, ImageError
from rsi_gradcam.images.box import Box, Size
from rsi_gradcam.images.read_photo import read_photo

FIRST = 20  # of so many one has to be there: a photo may be missing, but a wrong folder is told at once
SLACK = 1.0  # pixels by which a box may reach over the rim: annotators round
Labelled = Mapping[int | str | None, Sequence[Box]]  # a photo's labels, and the boxes of each


class PhotoFiles(Dataset):
    """Photos in files, each at a path that its example's name tells."""

    def __post_init__(self) -> None:
        """A path that is given as one is kept as text: so `repr` is the configuration on any machine."""
        for name, value in vars(self).items():
            if isinstance(value, os.PathLike):
                object.__setattr__(self, name, os.fspath(value))

    @abstractmethod
    def read(self) -> Iterable[Example]:
        """The examples in their order, from the disk."""

    @abstractmethod
    def path(self, example: Example) -> Path:
        """Where its photo is."""

    def as_stored(self) -> bool:
        """Were the boxes drawn on the photos as stored, whatever the files say of their orientation?"""
        return True

    @cached_property
    def found(self) -> tuple[Example, ...]:
        found = tuple(self.read())
        if not found:
            raise DatasetError(f"{self!r} is empty: there is no photo with a label in it")
        name, times = Counter(example.name for example in found).most_common(1)[0]
        if times > 1:
            raise DatasetError(f"{self!r} has {times} photos called {name!r}: each needs a name of its own")
        first = found[:FIRST]
        if not any(self.path(example).is_file() for example in first):
            raise DatasetError(
                f"none of the first {len(first)} photos of {self!r} is there, the first not at "
                f"{self.path(first[0])}: say in which folder the photos are"
            )
        return found

    def examples(self) -> tuple[Example, ...]:
        return self.found

    def photo(self, example: Example) -> Image.Image:
        return as_drawn(self.path(example), example, stored=self.as_stored())


def by_label(photo: str, labelled: Labelled, size: Size | None) -> Iterable[Example]:
    """An example for each label of a photo: what is at the boxes of one label is no part of another's."""
    for label, boxes in labelled.items():
        several = len(labelled) > 1 or photo.endswith(f"#{label}")
        yield Example(f"{photo}#{label}" if several else photo, label, tuple(boxes), size)


def photo_of(example: Example) -> str:
    """The photo's own name."""
    return example.name.removesuffix(f"#{example.label}")


def as_drawn(path: Path, example: Example, *, stored: bool) -> Image.Image:
    """The photo on the grid of pixels on which its boxes were drawn.

    If it is known how large that was, the photo is turned the way that fits: so boxes lie on the same thing
    whether their tool heeded the orientation that cameras write into files or not.
    """
    photo = read_photo(path, turned=not stored)
    if example.size is not None and photo.size != example.size:
        (width, height), photo = photo.size, read_photo(path, turned=stored)
        if photo.size != example.size:
            raise ImageError(
                f"{path} is {width}×{height}, its boxes were drawn on {example.size[0]}×{example.size[1]}: "
                f"give the photo that was annotated, not a resized one"
            )
    check_boxes(example, photo.size)
    return photo


def check_boxes(example: Example, size: Size) -> None:
    whole = Box.whole(size)
    for box in example.boxes:
        edges = ", ".join(f"{edge:g}" for edge in box)
        if not (box.width > 0 and box.height > 0):
            raise ImageError(
                f"{example.name}: the box ({edges}) is upside down: give left, top, right, bottom, "
                f"left before right and top before bottom"
            )
        over = max(-box.left, -box.top, box.right - whole.right, box.bottom - whole.bottom)
        seen = box.within(whole)
        if over > SLACK or not (seen.width > 0 and seen.height > 0):
            raise ImageError(
                f"{example.name}: the box ({edges}) lies outside the photo of {size[0]}×{size[1]}: "
                f"give boxes in pixels of the photo as it is"
            )


def folder_at(path: str, what: str) -> Path:
    """The folder, or what is wrong with it."""
    folder = Path(path)
    if not folder.is_dir():
        wrong = "is a file" if folder.exists() else "is not there"
        raise DatasetError(f"{path} {wrong}: give the folder {what}")
    return folder
