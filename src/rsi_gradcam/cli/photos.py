"""The photos that are meant, and what becomes of each before the network sees it."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from torch import Tensor

from rsi_gradcam.cli.file_names import names_of
from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.images import Preprocess, find_photos, read_photo
from rsi_gradcam.images.find_photos import is_output


@dataclass(frozen=True)
class Photo:
    """A photo that was read."""

    path: Path
    name: str  # of what is made from it
    image: Image.Image
    x: Tensor  # (channel, height, width)
    sha256: str  # of the file

    @classmethod
    def read(cls, path: Path, name: str, preprocess: Preprocess) -> Photo:
        image = read_photo(path)
        return cls(path, name, image, preprocess(image), hashlib.sha256(path.read_bytes()).hexdigest())


def chosen(photos: Sequence[str] | None) -> dict[Path, str]:
    """Each photo and its name among them. What was made here is no photo, unless nothing else was named."""
    paths = find_photos(photos) if photos else [sample()]
    return names_of([path for path in paths if not is_output(path.name)] or paths)


def only(photo: str | None) -> Path:
    """The one photo of a command that takes one."""
    found = list(chosen(None if photo is None else [photo]))
    if len(found) > 1:
        raise ConfigurationError(f"{photo} holds {len(found)} photos, and this takes one: name it")
    return found[0]


def sample() -> Path:
    """A cup of coffee, from scikit-image, which need not be imported for it."""
    found = importlib.util.find_spec("skimage")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("the sample photo", "cli")
    return Path(found.submodule_search_locations[0], "data", "coffee.png")
