"""A photo as the page keeps it: its file, and a smaller picture for the screen."""

from __future__ import annotations

import base64
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from rsi_gradcam.errors import ImageError
from rsi_gradcam.images import read_photo
from rsi_gradcam.images.box import Size
from rsi_gradcam.web.limits import LONGEST, PIXELS, SHOWN, UPLOAD_BYTES


@dataclass(frozen=True)
class Photo:
    """The file's bytes are kept, not its pixels, which may take a hundred times their room."""

    name: str
    data: bytes
    size: Size
    shown: str  # data URL

    @property
    def identity(self) -> str:
        return hashlib.sha256(self.data).hexdigest()[:16]

    @classmethod
    def read(cls, path: Path, name: str) -> Photo:
        length = path.stat().st_size
        if length > UPLOAD_BYTES:
            raise ImageError(f"{name} has {length / 2**20:.0f} MB, the page takes {UPLOAD_BYTES / 2**20:.0f}")
        data = path.read_bytes()
        image = opened(data, name)
        return cls(name, data, image.size, data_url(image))

    def image(self) -> Image.Image:
        """Every pixel, in RGB."""
        return opened(self.data, self.name)

    def small(self, side: int) -> Image.Image:
        """No side longer than that."""
        return shrunk(self.image(), side)


def opened(data: bytes, name: str) -> Image.Image:
    if not data:
        raise ImageError(f"{name} is empty (0 bytes): get the file again, or leave it out")
    file = io.BytesIO(data)
    file.name = name
    image = read_photo(file, pixel_limit=PIXELS)
    if max(image.size) > LONGEST * min(image.size):
        width, height = image.size
        raise ImageError(
            f"{name} is {width}×{height}, a strip: give a photo at most {LONGEST} times longer than wide"
        )
    return image


def shrunk(image: Image.Image, side: int) -> Image.Image:
    if max(image.size) <= side:
        return image
    scale = side / max(image.size)
    width, height = (max(1, round(each * scale)) for each in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)


def data_url(image: Image.Image, side: int = SHOWN) -> str:
    file = io.BytesIO()
    shrunk(image, side).save(file, "JPEG", quality=92, subsampling=0)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
