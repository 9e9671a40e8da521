"""Files that are there whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4


def usable(folder: Path) -> Path:
    """The folder, made if it is not there; an error if nothing can be written to it."""
    with named(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """An open file that gets its name when all is written."""
    part = path.with_name(f".{uuid4().hex}.part")  # not by its name: that may already be as long as names can be
    try:
        with named(path), part.open("wb") as file:
            yield file
        with named(path):
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """The system's errors, with the name of what could not be written."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written ({error.strerror or error})", str(path)) from error
