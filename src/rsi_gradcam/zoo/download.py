"""Fetching a file of weights, or saying in one line how to get it here by hand."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.request import Request, urlopen
from uuid import uuid4

from rsi_gradcam.errors import WeightsError

Progress = Callable[[str, int, int], None]
"""Told while downloading: the file's name, bytes so far, bytes in all (0: not known)."""

TIMEOUT = 5.0  # seconds without an answer
PIECE = 1 << 20


class Reply(Protocol):
    """What an open URL gives."""

    def read(self, amount: int, /) -> bytes: ...


def fetch(url: str, path: Path, progress: Progress | None = None) -> Path:
    """`path`, downloaded from `url` if it is not there. No retries: it fails within seconds."""
    if path.is_file():
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with urlopen(Request(url, headers={"User-Agent": "rsi-gradcam"}), timeout=TIMEOUT) as reply:
            store(reply, int(reply.headers.get("Content-Length") or 0), path, progress)
    except (OSError, HTTPException) as error:
        why = getattr(error, "reason", None) or error
        raise WeightsError(
            f"{path.name} is not on this machine and could not be fetched ({why}): download {url} "
            f"and put it at {path}, or pass it with weights=FILE (--weights FILE)"
        ) from error
    return path


def store(reply: Reply, length: int, path: Path, progress: Progress | None) -> None:
    """Written beside `path` and moved there when whole, so that what is there is always whole."""
    part = path.with_name(f"{path.name}.{uuid4().hex[:8]}.part")
    try:
        with part.open("wb") as file:
            copy(reply, length, file, path.name, progress)
        check_hash(part, path.name)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def copy(reply: Reply, length: int, part: BinaryIO, name: str, progress: Progress | None) -> None:
    done = 0
    while piece := reply.read(PIECE):
        part.write(piece)
        done += len(piece)
        if progress is not None:
            progress(name, done, length)
    if length and done != length:
        raise OSError(f"the connection ended after {done} of {length} bytes")


def check_hash(part: Path, name: str) -> None:
    """Names like resnet50-11ad3fa6.pth carry the start of their SHA-256."""
    expected = re.search(r"-([0-9a-f]{8,})\.", name)
    if expected is None:
        return
    found = hashlib.sha256(part.read_bytes()).hexdigest()
    if not found.startswith(expected[1]):
        raise OSError(f"what came has the SHA-256 {found[:12]}…, expected {expected[1]}…")
