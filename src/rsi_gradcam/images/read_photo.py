"""Reading one photo, as a person sees it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from PIL import ExifTags, Image, UnidentifiedImageError

from rsi_gradcam.errors import ImageError
from rsi_gradcam.images.photo_formats import photo_formats
from rsi_gradcam.images.to_rgb import to_rgb

PIXEL_LIMIT = 178_956_970  # where Pillow, too, takes a photo for a bomb

UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}

_opening = threading.Lock()


def read_photo(
    source: str | os.PathLike[str] | BinaryIO, *, pixel_limit: int = PIXEL_LIMIT, turned: bool = True
) -> Image.Image:
    """The photo in RGB: turned upright, the first frame, on white where transparent.

    `source` is a path or an open binary file. More pixels than `pixel_limit` are not decoded. With `turned` False
    the pixels stay as they are stored, whatever the file says of its orientation.
    """
    name = name_of(source)
    if isinstance(source, str | os.PathLike):
        check_file(Path(source), name)
    try:
        with opened(source) as image:
            check_size(image, name, pixel_limit)
            image.load()  # TIFF turns itself upright here
            return to_rgb(upright(image) if turned else image)
    except ImageError:
        raise
    except UnidentifiedImageError as error:
        raise ImageError(f"{name} is no photo that Pillow can read: give a JPEG, PNG, WebP, TIFF, …") from error
    except MemoryError as error:
        raise ImageError(f"{name} does not fit into memory: make it smaller first") from error
    except Exception as error:  # a decoder may raise anything at a broken file
        why = str(error) or type(error).__name__
        raise ImageError(f"{name} is broken or cut short ({why}): get the file again, or leave it out") from error


def name_of(source: object) -> str:
    if isinstance(source, str | os.PathLike):
        return str(source)
    return str(getattr(source, "name", "the given file"))


def check_file(path: Path, name: str) -> None:
    try:
        length = path.stat().st_size
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise ImageError(f"{name} cannot be opened ({why}): check the path") from error
    if path.is_dir():
        raise ImageError(f"{name} is a folder, not a photo: find_photos gives the photos in it")
    if length == 0:
        raise ImageError(f"{name} is empty (0 bytes): get the file again, or leave it out")
    if not os.access(path, os.R_OK):
        raise ImageError(f"{name} may not be read by you: change its permissions")


@contextmanager
def opened(source: str | os.PathLike[str] | BinaryIO) -> Iterator[Image.Image]:
    """The file's header, read without Pillow's own limit, which is global and could not be raised."""
    with _opening:
        theirs = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            image = Image.open(source, formats=photo_formats())
        finally:
            Image.MAX_IMAGE_PIXELS = theirs
    with image:
        yield image


def check_size(image: Image.Image, name: str, pixel_limit: int) -> None:
    width, height = image.size
    if width * height > pixel_limit:
        raise ImageError(
            f"{name} has {width}×{height} pixels, {width * height / 1e6:.0f} million; the limit is "
            f"{pixel_limit / 1e6:.0f}: make it smaller, or raise pixel_limit if you trust it"
        )


def upright(image: Image.Image) -> Image.Image:
    turn = UPRIGHT.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return image if turn is None else image.transpose(turn)
