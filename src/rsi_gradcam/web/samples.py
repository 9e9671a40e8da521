"""Photos to begin with: scikit-image's, where it is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

NAMES = ("coffee.png", "chelsea.png", "rocket.jpg", "motorcycle_left.png", "astronaut.png")


def samples() -> list[Path]:
    found = importlib.util.find_spec("skimage")
    if found is None or not found.submodule_search_locations:
        return []
    folder = Path(found.submodule_search_locations[0], "data")
    return [folder / name for name in NAMES if (folder / name).is_file()]
