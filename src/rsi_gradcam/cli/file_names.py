"""What files are called: by photo, class, method and layer, and no longer than file systems take."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

LONGEST = 255  # bytes of a name, on nearly every file system
WORD = 60  # letters of a class's, a method's or a layer's part of it


def names_of(paths: Iterable[Path]) -> dict[Path, str]:
    """Each photo and its name among them: its stem; the whole name where two stems are alike; then with folders."""
    shares: dict[Path, int] = dict.fromkeys(paths, 0)
    while True:
        names = {path: name_with(path, share) for path, share in shares.items()}
        counts = Counter(name.casefold() for name in names.values())
        alike = [path for path in shares if counts[names[path].casefold()] > 1]
        longer = [path for path in alike if shares[path] <= len(path.absolute().parents)]
        if not longer:
            return names | {path: f"{names[path]}_{number}" for number, path in enumerate(alike, start=1)}
        shares |= {path: shares[path] + 1 for path in longer}


def name_with(path: Path, share: int) -> str:
    """The stem; the file's name; and that with more and more of its folders before it."""
    if share == 0:
        return path.stem
    folders = [folder.name for folder in path.absolute().parents][: share - 1]
    return "_".join([*filter(None, reversed(folders)), path.name])


def word(text: str) -> str:
    """A text without what a file system might not like, not longer than a part of a name should be."""
    return re.sub(r"\W+", "_", text)[:WORD].strip("_")


def class_words(categories: Sequence[str]) -> list[str]:
    """The first of each class's names, and its index where that alone does not tell it from others."""
    firsts = [word(category.split(",", maxsplit=1)[0].strip()).lower() or "class" for category in categories]
    counts = Counter(firsts)
    return [first if counts[first] == 1 else f"{first}_{index}" for index, first in enumerate(firsts)]


def file_name(photo: str, *rest: str) -> str:
    """The parts with dots between; a photo's name that would make it too long is cut, and told apart by a hash."""
    end = ".".join(("", *rest))
    room = LONGEST - len(end.encode())
    if len(photo.encode()) <= room:
        return photo + end
    mark = "~" + hashlib.sha256(photo.encode()).hexdigest()[:8]
    return photo.encode()[: room - len(mark)].decode(errors="ignore") + mark + end
