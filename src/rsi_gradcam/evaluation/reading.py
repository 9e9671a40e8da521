"""One photo of a data set, read and brought to the network's input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from torch import Tensor

from rsi_gradcam.belt import ahead
from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.evaluation.selection import share_of
from rsi_gradcam.images import Preprocess
from rsi_gradcam.images.box import Box
from rsi_gradcam.images.inside import inside

AHEAD = 4  # photos that are read while the network is busy


@dataclass(frozen=True, eq=False)
class Shot:
    """What the network gets to see, and where the boxes are in it."""

    index: int
    example: Example
    pixels: Tensor  # (3, H, W) in 0..1
    boxes: tuple[Box, ...]  # in the input's pixels; those of which nothing is seen are not among them
    inside: Tensor | None  # (H, W) bool; None if the photo has no boxes
    share: float | None  # of the photo's own area in its boxes


@dataclass(frozen=True)
class Unread:
    """A photo that cannot be had, and why."""

    index: int
    example: Example
    error: str


def read(index: int, example: Example, dataset: Dataset, preprocess: Preprocess) -> Shot:
    photo = dataset.photo(example)
    carried = [preprocess.box_to_input(box, photo.size) for box in example.boxes]
    seen = tuple(box for box in carried if box.width > 0 and box.height > 0)
    mask = inside(seen, preprocess.size) if example.boxes else None
    share = share_of(example.boxes, photo.size)
    return Shot(index, example, preprocess.pixels(photo), seen, mask, share)


def shots(indices: Iterable[int], dataset: Dataset, preprocess: Preprocess) -> Iterator[Shot | Unread]:
    """In order, the next ones read in a thread while this one is looked at."""
    examples = dataset.examples()

    def attempt(index: int) -> Shot | Unread:
        example = examples[index]
        try:
            return read(index, example, dataset, preprocess)
        except Exception as error:  # whatever one photo does, the others go on
            return Unread(index, example, in_a_line(error))

    return ahead(attempt, indices, AHEAD)


def in_a_line(error: BaseException) -> str:
    """
    >>> in_a_line(RuntimeError("sizes do\\nnot fit"))
    'RuntimeError: sizes do not fit'
    """
    text = " ".join(str(error).split()) or "no more is known"
    return f"{type(error).__name__}: {text}"
