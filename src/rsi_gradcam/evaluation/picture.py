"""Which picture a row shows: rows of one picture are not independent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsi_gradcam.datasets import Example
from rsi_gradcam.datasets.photo_files import photo_of

COLUMNS = ("photo", "picture")  # what `picture_of` has to know of a row


def picture_shown(example: Example) -> str:
    """Of an example, as it is written into its rows: its name without the "#class" that tells its labels apart."""
    return example.name if example.label is None else photo_of(example)


def picture_of(row: Mapping[str, Any]) -> str:
    """Of a row. Rows of stores that were made before there was the column have it in their name alone.

    >>> picture_of({"photo": "photo#1.png", "picture": "photo#1.png"})
    'photo#1.png'
    >>> picture_of({"photo": "mosaic-000001#cat", "picture": None})
    'mosaic-000001'
    """
    found: str | None = row.get("picture")
    name: str = row["photo"]
    return found or name.rpartition("#")[0] or name
