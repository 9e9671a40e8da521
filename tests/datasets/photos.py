"""Small photos for the readers' tests."""

from __future__ import annotations

import numpy as np
from PIL import Image

ORIENTATION = 0x0112


def save(path, size=(20, 12), white=None, orientation=1):
    """A black photo, white in the box; saved so that it is read back to the bit if it is a .png."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    if white is not None:
        left, top, right, bottom = white
        pixels[top:bottom, left:right] = 255
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    keep = {} if path.suffix.lower() == ".png" else {"quality": 95, "subsampling": 0}
    Image.fromarray(pixels).save(path, exif=exif, **keep)
    return path


def white_box(photo):
    """The edges of what is white in it."""
    rows, columns = np.nonzero(np.asarray(photo)[..., 0] > 127)
    return (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
