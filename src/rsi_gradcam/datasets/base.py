"""What a data set is: photos with a label and boxes, in a fixed order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from PIL import Image

from rsi_gradcam.images.box import Box


@dataclass(frozen=True)
class Example:
    """One photo of a data set: who it is, and what is known of it."""

    name: str  # unique in the data set: a path below its root, or an id
    label: int | str | None = None  # an index of the network's classes, or a name to be found among them
    boxes: tuple[Box, ...] = ()  # where the labelled thing is, in the photo's pixels as `photo` gives it


class Dataset(ABC):
    """A frozen description of where photos, labels and boxes are. Its file's name is its name everywhere."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for lists
    boxed: ClassVar[bool] = True  # are boxes a part of it? then the paper's selection is the default

    @abstractmethod
    def examples(self) -> Sequence[Example]:
        """All of them, always in the same order. May be a view that is made as it is read: think of 100,000."""

    @abstractmethod
    def photo(self, example: Example) -> Image.Image:
        """The photo as a person sees it, RGB and upright. ImageError where it cannot be read."""
