"""Which photos are meant by files, folders and patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rsi_gradcam.errors import ImageError, did_you_mean
from rsi_gradcam.images.photo_formats import photo_extensions

PathLike = str | os.PathLike[str]
OUTPUTS = (".overlay.png", ".heatmap.png", ".titled.png", ".comparison.png", ".uncertain.png")
"""How the names of pictures end that the command line has made of photos."""


def find_photos(paths: PathLike | Iterable[PathLike]) -> list[Path]:
    """The files named, then those in the folders (sorted, with all inside) and those the patterns fit.

    A file that is named is taken whatever it is called; in folders and patterns the end of the name decides,
    and what is hidden stays so, as do pictures that were made of photos here. Each photo comes once, however it
    was named.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    once: dict[Path, Path] = {}
    for photo in (photo for path in given for photo in photos_of(path)):
        once.setdefault(photo.resolve(), photo)
    return list(once.values())


def photos_of(path: PathLike) -> list[Path]:
    if not str(path).strip():
        raise ImageError("a photo's name is empty: give a path (is a variable of the shell not set?)")
    there = Path(path)
    if there.is_file():
        return [there]
    if there.is_dir():
        found = sorted(in_folder(there))
    elif glob.has_magic(str(path)):
        found = sorted(in_pattern(str(path)))
    else:
        raise missing(there)
    if not found:
        raise ImageError(f"{path} holds no photos: names must end in .jpg, .png, .webp or another photo format")
    return found


def in_folder(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(parent, name) for name in files if is_photo(name))


def in_pattern(pattern: str) -> Iterator[Path]:
    for found in map(Path, glob.glob(pattern, recursive=True)):  # noqa: PTH207 - patterns may be absolute
        if found.is_dir():
            yield from in_folder(found)
        elif is_photo(found.name):
            yield found


def is_photo(name: str) -> bool:
    shown = not name.startswith(".") and not is_output(name)
    return shown and Path(name).suffix.lower() in photo_extensions()


def is_output(name: str) -> bool:
    """Whether it is called as what is made of photos: output is never input."""
    return name.lower().endswith(OUTPUTS)


def missing(path: Path) -> ImageError:
    if not path.parent.is_dir():
        return ImageError(f"{path} is not there, nor is the folder {path.parent}: check the path")
    beside = sorted(file.name for file in path.parent.iterdir() if is_photo(file.name))
    hint = did_you_mean(path.name, beside) if beside else "there is no photo in its folder"
    return ImageError(f"{path} is not there: {hint}")
