"""Which of Pillow's formats are photos."""

from __future__ import annotations

from functools import cache

from PIL import Image

# EPS runs Ghostscript, WMF needs Windows, the others are only recognised by Pillow, never read.
NO_PHOTOS = frozenset({"BUFR", "EPS", "GRIB", "HDF5", "MPEG", "WMF"})


@cache
def photo_formats() -> tuple[str, ...]:
    """The names, as Pillow has them: JPEG, PNG, …"""
    Image.init()
    return tuple(sorted(set(Image.OPEN) - NO_PHOTOS))


@cache
def photo_extensions() -> frozenset[str]:
    """The ends of such files' names: .jpg, .png, …"""
    formats = photo_formats()
    return frozenset(end for end, name in Image.registered_extensions().items() if name in formats)
