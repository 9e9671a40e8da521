"""COCO's instances, and whatever is annotated in its JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from rsi_gradcam.datasets.base import Example
from rsi_gradcam.datasets.photo_files import PhotoFiles, by_label, folder_at, photo_of
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images.box import Box, Size

Entry = dict[str, Any]  # of the JSON
LISTS = ("images", "annotations", "categories")


@dataclass(frozen=True)
class COCO(PhotoFiles):
    """An example for each photo and each class in it, labelled by the class's name, with the boxes of that class.

    `folder` holds annotations/instances_….json and the photos, or is the JSON itself. Where there are several with
    photos, `annotations` says which; `photos` where the photos are, if not in a folder that is called as the JSON
    ends, in images or beside. With `single` only photos of a single class are taken. COCO's boxes are edges
    already: x, y, width and height of what was drawn. Boxes of crowds are left out, and those without area.
    """

    folder: str
    annotations: str = ""
    photos: str = ""
    single: bool = False

    name: ClassVar[str] = "coco"
    summary: ClassVar[str] = "COCO's layout: a JSON of instances and a folder of photos"

    def read(self) -> Iterator[Example]:
        lists = loaded(self.file)
        try:
            yield from self.of(lists)
        except (KeyError, TypeError, ValueError) as error:
            raise DatasetError(
                f"{self.file} is not as COCO's instances are ({type(error).__name__}: {error}): images need id, "
                f"file_name, annotations image_id, category_id, bbox of four numbers, categories id, name"
            ) from error

    def of(self, lists: dict[str, list[Entry]]) -> Iterator[Example]:
        names: dict[object, str] = {each["id"]: str(each["name"]) for each in lists["categories"]}
        sizes = {each["id"]: size_of(each) for each in lists["images"]}
        boxes: dict[object, dict[int | str | None, list[Box]]] = {}
        classes: dict[object, set[object]] = {}
        for each in lists["annotations"]:
            photo = each["image_id"]
            classes.setdefault(photo, set()).add(each["category_id"])
            box = box_of(each, sizes[photo])
            if not each.get("iscrowd") and box.width > 0 and box.height > 0:
                boxes.setdefault(photo, {}).setdefault(names[each["category_id"]], []).append(box)
        for each in lists["images"]:
            photo = each["id"]
            if photo in boxes and (len(classes[photo]) == 1 or not self.single):
                yield from by_label(str(each["file_name"]), boxes[photo], sizes[photo])

    def path(self, example: Example) -> Path:
        photo = photo_of(example)
        if self.photos:
            return Path(self.photos, photo)
        beside = [folder / photo for folder in usual(self.root, self.file)]
        return next((path for path in beside if path.is_file()), beside[0])

    @cached_property
    def root(self) -> Path:
        given = Path(self.folder)
        if given.is_file():
            return given.parent.parent if given.parent.name == "annotations" else given.parent
        return folder_at(self.folder, "that holds annotations/instances_….json, or that file")

    @cached_property
    def file(self) -> Path:
        """The JSON."""
        given = Path(self.annotations or self.folder)
        if given.is_file():
            return given
        root = self.root
        if self.annotations:
            found = [
                file for file in (root / self.annotations, root / "annotations" / self.annotations) if file.is_file()
            ]
        else:
            found = sorted(root.glob("annotations/instances_*.json")) or sorted(root.glob("*.json"))
            found = [file for file in found if any(folder.is_dir() for folder in usual(root, file)[:2])] or found
        if not found:
            raise DatasetError(
                f"{root} has no {self.annotations or 'annotations/instances_….json'}: say annotations=…"
            )
        if len(found) > 1 and not self.annotations:
            raise DatasetError(f"{root} has {', '.join(file.name for file in found)}: say which by annotations=…")
        return found[0]


def usual(root: Path, file: Path) -> tuple[Path, ...]:
    """Where a file's photos are, if nothing is said: instances_val2017.json speaks of those in val2017."""
    split = file.stem.rpartition("_")[2]
    return root / split, root / "images" / split, root / "images", root


def loaded(file: Path) -> dict[str, list[Entry]]:
    try:
        with file.open(encoding="utf-8") as text:
            lists = json.load(text)
    except ValueError as error:
        raise DatasetError(f"{file} is no readable JSON ({error}): get the annotations again") from error
    missing = [each for each in LISTS if not isinstance(lists, dict) or not isinstance(lists.get(each), list)]
    if missing:
        raise DatasetError(f"{file} has no list of {', '.join(missing)}: give the JSON of COCO's instances")
    return {each: lists[each] for each in LISTS}


def size_of(image: Entry) -> Size | None:
    width, height = image.get("width"), image.get("height")
    return (int(width), int(height)) if width and height else None


def box_of(annotation: Entry, size: Size | None) -> Box:
    """By its edges, cut at the rim of the photo where its size is told."""
    x, y, width, height = (float(each) for each in annotation["bbox"])
    box = Box(x, y, x + width, y + height)
    return box.within(Box.whole(size)) if size else box
