"""Photos to begin with: scikit-image's, where it is installed."""

from __future__ import annotations

import importlib.util
import secrets
import shutil
from pathlib import Path

NAMES = ("coffee.png", "chelsea.png", "rocket.jpg", "motorcycle_left.png", "astronaut.png")


def samples() -> list[Path]:
    found = importlib.util.find_spec("skimage")
    if found is None or not found.submodule_search_locations:
        return []
    folder = Path(found.submodule_search_locations[0], "data")
    return [folder / name for name in NAMES if (folder / name).is_file()]


def copied(name: object, folder: Path) -> Path | None:
    """A sample as a file of the page's own, since it shows no others; None where that is no sample's name."""
    for sample in samples():
        if sample.name == name:
            made = folder / secrets.token_hex(16) / sample.name
            made.parent.mkdir(parents=True)
            shutil.copy(sample, made)
            return made
    return None


def title(sample: Path) -> str:
    return sample.stem.split("_")[0]
