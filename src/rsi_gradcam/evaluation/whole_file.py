"""Files that are there whole or not at all, also when the machine is switched off."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4


def write_whole(path: Path, content: bytes, *, replace: bool = True) -> bool:
    """Writes under a temporary name, makes sure of it, then gives it its own; false if that was taken.

    What others left behind who were killed while they wrote the same file is cleared away.
    """
    part = path.with_name(f".{path.name}.{uuid4().hex[:8]}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        written = renamed(part, path) if replace else linked(part, path)
        settle_folder(path.parent)
    finally:
        part.unlink(missing_ok=True)
    for left in path.parent.glob(f".{path.name}.*.part"):
        left.unlink(missing_ok=True)
    return written


def renamed(part: Path, path: Path) -> bool:
    try:
        part.replace(path)
    except FileNotFoundError:  # another run wrote the same file at the same time, and cleared ours away
        if not path.exists():
            raise
        return False
    return True


def linked(part: Path, path: Path) -> bool:
    """The name goes to the first who comes, where the file system can see to that."""
    try:
        os.link(part, path)
    except FileExistsError:
        return False
    except OSError:
        return not path.exists() and renamed(part, path)
    return True


def settle_folder(folder: Path) -> None:
    """The new name is on the disk as well, where the system lets one wait for that."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return
    finally:
        os.close(handle)
