"""The grid pointing game: photos of different classes tiled, so that where each thing is, is known exactly."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from PIL import Image

from rsi_gradcam.datasets.base import Dataset, Example, Selection
from rsi_gradcam.datasets.photo_files import PhotoFiles, photo_of
from rsi_gradcam.errors import ConfigurationError, DatasetError, MissingExtra
from rsi_gradcam.images.box import Box

# Photos that come with scikit-image, and the ImageNet class that the built-in network sees in them.
SAMPLES = {
    "camera.png": "tripod",
    "chelsea.png": "tiger cat",
    "coffee.png": "espresso",
    "motorcycle_left.png": "moped",
    "rocket.jpg": "missile",
}
Tiles = tuple[Example, ...]  # row by row
PATIENCE = 1000  # draws for each mosaic that is wanted


@dataclass(frozen=True)
class Samples(PhotoFiles):
    """scikit-image's photos of things that are ImageNet classes: no download."""

    def read(self) -> Iterator[Example]:
        yield from (Example(photo, label) for photo, label in SAMPLES.items())

    def path(self, example: Example) -> Path:
        try:
            import skimage  # noqa: PLC0415 - an optional dependency, and this is its home
        except ImportError as error:
            raise MissingExtra("the built-in photos", "evaluation") from error
        return Path(skimage.__file__).parent / "data" / example.name


@dataclass(frozen=True)
class Mosaic(Dataset):
    """grid × grid photos of as many classes; of each mosaic one example for each tile, whose box is the tile.

    `source` is any data set with labels, by default five of scikit-image's photos. Of each photo the largest
    centred square is taken and made `tile` pixels wide. `count` mosaics, none twice, are drawn by `seed`: first the
    classes, then a photo of each.
    """

    source: Dataset | None = None
    grid: int = 2
    count: int = 20
    seed: int = 0
    tile: int = 224

    name: ClassVar[str] = "mosaic"
    summary: ClassVar[str] = "the grid pointing game: photos of different classes tiled, the box is the tile"
    selection: ClassVar[Selection] = "none"

    def __post_init__(self) -> None:
        for field, least in (("grid", 2), ("count", 1), ("tile", 8)):
            value = getattr(self, field)
            if not isinstance(value, int) or value < least:
                raise ConfigurationError(f"{field} must be a whole number, {least} or more, got {value!r}")

    def examples(self) -> tuple[Example, ...]:
        return self.found

    def photo(self, example: Example) -> Image.Image:
        number = int(example.name.removeprefix("mosaic-").partition("#")[0])
        whole = Image.new("RGB", (self.grid * self.tile,) * 2)
        for place, tile in enumerate(self.mosaics[number]):
            photo = middle(self.photos.photo(tile)).resize((self.tile, self.tile), Image.Resampling.BILINEAR)
            whole.paste(photo, self.corner(place))
        return whole

    @cached_property
    def photos(self) -> Dataset:
        return Samples() if self.source is None else self.source

    @cached_property
    def found(self) -> tuple[Example, ...]:
        side = self.grid * self.tile
        return tuple(
            Example(f"mosaic-{number:06d}#{tile.label}", tile.label, (self.box(place),), (side, side))
            for number, tiles in enumerate(self.mosaics)
            for place, tile in enumerate(tiles)
        )

    @cached_property
    def mosaics(self) -> Sequence[Tiles]:
        of_class: dict[int | str, list[Example]] = {}
        for example in self.photos.examples():
            if example.label is not None:
                of_class.setdefault(example.label, []).append(example)
        classes = sorted(of_class, key=str)
        self.check(len(classes), possible([len(of_class[label]) for label in classes], self.grid**2))
        drawn: dict[Tiles, None] = {}
        dice = random.Random(self.seed)
        for _ in range(PATIENCE * self.count):
            tiles = tuple(dice.choice(of_class[label]) for label in dice.sample(classes, self.grid**2))
            if len({photo_of(tile) for tile in tiles}) == len(tiles):
                drawn.setdefault(tiles)
            if len(drawn) == self.count:
                return tuple(drawn)
        raise self.too_many(len(drawn))

    def check(self, classes: int, mosaics: int) -> None:
        if classes < self.grid**2:
            raise DatasetError(
                f"{self.grid}×{self.grid} tiles need photos of {self.grid**2} classes, {self.photos!r} has "
                f"{classes}: take a smaller grid, or a source of more classes"
            )
        if mosaics < self.count:
            raise self.too_many(mosaics)

    def too_many(self, mosaics: int) -> DatasetError:
        return DatasetError(f"{self.photos!r} gives {mosaics} mosaics, {self.count} were wanted: take fewer")

    def box(self, place: int) -> Box:
        left, top = self.corner(place)
        return Box(float(left), float(top), float(left + self.tile), float(top + self.tile))

    def corner(self, place: int) -> tuple[int, int]:
        row, column = divmod(place, self.grid)
        return column * self.tile, row * self.tile


def middle(photo: Image.Image) -> Image.Image:
    """The largest square in the middle."""
    side = min(photo.size)
    left, top = (photo.width - side) // 2, (photo.height - side) // 2
    return photo.crop((left, top, left + side, top + side))


def possible(photos: Sequence[int], tiles: int) -> int:
    """How many mosaics there are: Σ over all ways to choose `tiles` classes of Π their photos, in any order.

    >>> possible([1, 1, 1, 1, 1], 4)
    120
    """
    chosen = [1] + [0] * tiles  # chosen[n]: ways to have photos of n classes
    for number in photos:
        for n in range(tiles, 0, -1):
            chosen[n] += number * chosen[n - 1]
    return chosen[tiles] * math.factorial(tiles)
