"""Folders of photos, one for each class: labels without boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from rsi_gradcam.datasets.base import Example, Selection
from rsi_gradcam.datasets.photo_files import PhotoFiles, folder_at
from rsi_gradcam.datasets.photos_below import photos_below
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.zoo.imagenet import synset_indices


@dataclass(frozen=True)
class Folder(PhotoFiles):
    """Photos in class folders, those inside these included; the folder's name is the class's.

    It may be a name, an index in digits, or a synset of ImageNet such as n01440764, which gives its index. Nothing
    tells where the things are: for measures without ground truth only.
    """

    folder: str

    name: ClassVar[str] = "folder"
    summary: ClassVar[str] = "class folders of photos, without boxes"
    boxed: ClassVar[bool] = False
    selection: ClassVar[Selection] = "none"

    def as_stored(self) -> bool:
        return False

    def read(self) -> Iterator[Example]:
        root = folder_at(self.folder, "that holds a folder of photos for each class")
        photos = photos_below(root)
        if not any("/" in photo for photo in photos):
            raise DatasetError(
                f"{self.folder} holds no photos in class folders: put them into folders called as their classes"
            )
        for photo in photos:
            label, below, _ = photo.partition("/")
            if below:
                yield Example(photo, int(label) if label.isdecimal() else synset_indices().get(label, label))

    def path(self, example: Example) -> Path:
        return Path(self.folder, example.name)
