"""What a data set is: photos with a label and boxes, in a fixed order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import ClassVar, Literal

from PIL import Image

from rsi_gradcam.images.box import Box, Size

Selection = Literal["paper", "none"]


@dataclass(frozen=True, slots=True)
class Example:
    """One photo of a data set: who it is, and what is known of it."""

    name: str  # unique in the data set: a path below its root, or an id; "…#class" where a photo comes more than once
    label: int | str | None = None  # an index of the network's classes, or a name to be found among them
    boxes: tuple[Box, ...] = ()  # where the labelled thing is, in the photo's pixels as `photo` gives it
    size: Size | None = None  # (width, height) on which the boxes were drawn, where the data set says so


class Dataset(ABC):
    """A frozen description of where photos, labels and boxes are. Its file's name is its name everywhere."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for lists
    boxed: ClassVar[bool] = True  # are boxes a part of it?
    selection: ClassVar[Selection] = "paper"  # which photos an evaluation keeps, if nothing is said

    @abstractmethod
    def examples(self) -> Sequence[Example]:
        """All of them, always in the same order. May be a view that is made as it is read: think of 100,000."""

    @abstractmethod
    def photo(self, example: Example) -> Image.Image:
        """The photo, RGB, as its boxes were drawn: upright, as a person sees it, unless they were drawn on the
        pixels as stored. ImageError where it cannot be read, or is not the photo that was drawn on."""

    def __getstate__(self) -> Mapping[str, object]:
        """The description alone: a worker reads for itself what was read here."""
        names = [field.name for field in fields(self)] if is_dataclass(self) else list(vars(self))
        return {name: getattr(self, name) for name in names}
