"""ImageNet's photos with their boxes, as the challenge of 2012 and its copies have them."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from rsi_gradcam.datasets.annotation import Annotation, Thing, read_annotation
from rsi_gradcam.datasets.base import Example
from rsi_gradcam.datasets.photo_files import PhotoFiles, folder_at
from rsi_gradcam.datasets.photos_below import photos_below
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images.box import Box
from rsi_gradcam.images.find_photos import is_photo
from rsi_gradcam.zoo.imagenet import synset_indices

PHOTOS = (".", "val", "Data/CLS-LOC/val", "ILSVRC/Data/CLS-LOC/val")  # below the folder that is given
BOXES = ("LOC_val_solution.csv", "Annotations/CLS-LOC/val", "ILSVRC/Annotations/CLS-LOC/val")  # there or above
NEAR = ("Annotations", "bbox")  # there only: such folders may be anybody's
LookUp = Callable[[str, str], Annotation]  # a photo's synset folder, "" if flat, and its name without the end
HINT = "boxes=… says where the XML files or LOC_val_solution.csv are"


@dataclass(frozen=True)
class ImageNet(PhotoFiles):
    """The photos of a folder, flat (ILSVRC2012_val_00000001.JPEG) or in folders of their synsets (n01440764/…).

    `boxes` is the folder of the XML files, or the CSV of ImageId and PredictionString; left out, it is looked for
    in and above `folder` under the usual names. The label is the index of the synset among the usual 1,000: by the
    photo's folder, else by its boxes. The files count pixels from 0 and give the last one inside (their least is
    0, their greatest the width − 1, and the challenge's own program adds 1 to max − min): the edges of a box are
    xmin, ymin, xmax + 1, ymax + 1. Boxes were drawn on the photos as stored, and networks are scored on them so:
    they are not turned by what the files say of their orientation.
    """

    folder: str
    boxes: str = ""

    name: ClassVar[str] = "imagenet"
    summary: ClassVar[str] = "ImageNet's photos, flat or by synset, with boxes from XML or CSV"

    def read(self) -> Iterator[Example]:
        look_up = from_xml(self.given) if self.given.is_dir() else from_csv(self.given)
        boxes = 0
        for photo in photos_below(self.root):
            folder, _, file = photo.rpartition("/")
            stem = file.rpartition(".")[0]
            size, things = look_up(folder, stem)
            synset = folder.rpartition("/")[2] or (things[0].called if things else "")
            own = tuple(thing.box for thing in things if thing.called == synset)
            boxes += len(own)
            yield Example(photo, self.index_of(synset, photo) if synset else None, own, size)
        if not boxes:
            raise DatasetError(f"{self.given} says nothing of the photos in {self.root}: {HINT}")

    def path(self, example: Example) -> Path:
        return self.root / example.name

    @cached_property
    def root(self) -> Path:
        """Where the photos are."""
        folder = folder_at(self.folder, "of the photos ILSVRC2012_val_….JPEG, or of synsets")
        for below in PHOTOS:
            if (folder / below).is_dir() and has_photos(folder / below):
                return folder / below
        raise DatasetError(f"{folder} holds neither photos ….JPEG nor folders of synsets such as n01440764")

    @cached_property
    def given(self) -> Path:
        """Where the boxes are."""
        if self.boxes:
            if not Path(self.boxes).exists():
                raise DatasetError(f"{self.boxes} is not there: {HINT}")
            return Path(self.boxes)
        above = [self.root.absolute(), *self.root.absolute().parents[:4]]
        near = [Path(self.folder), self.root.parent]
        looked = [
            folder / below
            for folders, names in ((above, BOXES), (near, NEAR))
            for folder in folders
            for below in names
        ]
        found = [path for path in looked if path.exists()]
        if not found:
            raise DatasetError(f"no boxes were found in or above {self.folder}: {HINT}; without any, say folder:…")
        return found[0]

    def index_of(self, synset: str, photo: str) -> int:
        try:
            return synset_indices()[synset]
        except KeyError:
            raise DatasetError(f"{photo} is of {synset!r}, which is none of the 1,000 synsets: take it out") from None


def has_photos(folder: Path) -> bool:
    """Does it hold photos, or folders of synsets?"""
    with os.scandir(folder) as entries:
        return any(is_photo(entry.name) or entry.name in synset_indices() for entry in entries)


def from_xml(folder: Path) -> LookUp:
    """The annotation of a photo, from files beside each other or in folders of synsets."""

    def look_up(synset: str, stem: str) -> Annotation:
        for file in (folder / f"{stem}.xml", folder / synset / f"{stem}.xml"):
            if file.is_file():
                return read_annotation(file, first=0)
        return Annotation(None, ())

    return look_up


def from_csv(file: Path) -> LookUp:
    """The annotation of a photo, from lines of its id and of synset xmin ymin xmax ymax as often as needed."""
    said: dict[str, str] = {}
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            for row in csv.DictReader(lines, strict=True):
                said[row["ImageId"]] = row["PredictionString"] or ""
    except (KeyError, csv.Error, UnicodeDecodeError) as error:
        raise DatasetError(f"{file} is no CSV with columns ImageId and PredictionString ({error}): {HINT}") from error

    def look_up(synset: str, stem: str) -> Annotation:  # noqa: ARG001 - ids are unique
        return Annotation(None, things_of(said.get(stem, ""), f"{stem} in {file}"))

    return look_up


def things_of(said: str, place: str) -> tuple[Thing, ...]:
    words = said.split()
    try:
        if len(words) % 5:
            raise ValueError(said)
        return tuple(thing_of(*words[start : start + 5]) for start in range(0, len(words), 5))
    except ValueError as error:
        raise DatasetError(
            f"{place} has {said!r}: a synset and four numbers are needed for each box, n01440764 xmin ymin xmax ymax"
        ) from error


def thing_of(synset: str, left: str, top: str, right: str, bottom: str) -> Thing:
    return Thing(synset, Box(float(left), float(top), float(right) + 1, float(bottom) + 1), difficult=False)
