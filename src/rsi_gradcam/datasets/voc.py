"""PASCAL VOC, and whatever is annotated in its layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from rsi_gradcam.datasets.annotation import read_annotation
from rsi_gradcam.datasets.base import Example
from rsi_gradcam.datasets.photo_files import PhotoFiles, by_label, folder_at, photo_of
from rsi_gradcam.datasets.photos_below import photos_below
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images.box import Box

LAYOUT = "that holds JPEGImages and Annotations, such as VOC2012"


@dataclass(frozen=True)
class VOC(PhotoFiles):
    """An example for each photo and each class in it, labelled by the class's name, with the boxes of that class.

    `split` is a list of ImageSets/Main; "" takes every annotated photo. A network may be asked for each class of a
    photo; with `single` only photos of a single class are taken, where its best answer can be right or wrong. What
    is marked difficult is left out, as VOC's own scores do, unless `difficult`. VOC counts pixels from 1 and gives
    the last one inside: the edges of a box are xmin − 1, ymin − 1, xmax, ymax.
    """

    folder: str
    split: str = "val"
    single: bool = False
    difficult: bool = False

    name: ClassVar[str] = "voc"
    summary: ClassVar[str] = "PASCAL VOC's layout: JPEGImages, Annotations, ImageSets"

    def read(self) -> Iterator[Example]:
        photos = {photo.rpartition(".")[0]: photo for photo in photos_below(self.root / "JPEGImages")}
        for key in self.keys():
            file = self.root / "Annotations" / f"{key}.xml"
            if not file.is_file():
                raise DatasetError(f"{key} of split {self.split!r} has no annotation {file}: get the set again")
            if key not in photos:
                raise DatasetError(f"{key} of split {self.split!r} has no photo in {self.root / 'JPEGImages'}")
            size, things = read_annotation(file, first=1)
            boxes: dict[int | str | None, list[Box]] = {}
            for thing in things:
                if self.difficult or not thing.difficult:
                    boxes.setdefault(thing.called, []).append(thing.box)
            if len({thing.called for thing in things}) == 1 or not self.single:
                yield from by_label(photos[key], boxes, size)

    def path(self, example: Example) -> Path:
        return self.root / "JPEGImages" / photo_of(example)

    @cached_property
    def root(self) -> Path:
        """The year's folder, also from inside a VOCdevkit with a single one."""
        folder = folder_at(self.folder, LAYOUT)
        inside = [each for each in (folder, *sorted(folder.glob("VOC*"))) if (each / "JPEGImages").is_dir()]
        if not inside:
            raise DatasetError(f"{folder} has no folder JPEGImages: give the folder {LAYOUT}")
        if folder not in inside and len(inside) > 1:
            raise DatasetError(f"{folder} holds {', '.join(each.name for each in inside)}: give one of them")
        return inside[0]

    def keys(self) -> list[str]:
        """What the photos of the split are called, without their ends."""
        if not (self.root / "Annotations").is_dir():
            raise DatasetError(f"{self.root} has no folder Annotations: give the folder {LAYOUT}")
        if not self.split:
            return sorted(file.stem for file in (self.root / "Annotations").glob("*.xml"))
        file = self.root / "ImageSets" / "Main" / f"{self.split}.txt"
        if not file.is_file():
            there = sorted(each.stem for each in file.parent.glob("*.txt") if "_" not in each.stem)
            raise DatasetError(
                f"{self.root} has no list of split {self.split!r}: there are {', '.join(there) or 'none'}; "
                f'split="" takes every annotated photo'
            )
        return [line.split()[0] for line in file.read_text("utf-8").splitlines() if line.strip()]
