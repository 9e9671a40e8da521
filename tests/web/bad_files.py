"""Two hundred files that are no photos, each of another kind or cut elsewhere."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zlib
from collections.abc import Iterator

from PIL import Image

from rsi_gradcam.web.limits import PIXELS
from tests.web.fakes import picture

NAMES = (
    "../../etc/passwd", "..\\..\\windows\\win.ini", "/etc/shadow", "a\nb.png", "a\rb.png", "nul\x00.png", "", ".",
    "..", "x" * 400 + ".png", "Ж猫🦊.jpg", "%2e%2e%2fsecret.png", "<script>alert(1)</script>.png", "'; DROP--.png",
    "CON.png", "photo.png.exe", "--help", "$(reboot).png", "a/b/c.png", "photo", "\u202egnp.exe", "con\tents.gif",
)  # fmt: skip
FORMATS = ("PNG", "JPEG", "WEBP", "JPEG2000", "GIF", "BMP", "TIFF", "PPM", "TGA", "ICO", "PCX", "SGI", "DDS")
PACKED = 4  # the first of them: noise is no photo there


def bad_files(count: int = 200) -> Iterator[tuple[str, bytes]]:
    """(name, bytes)."""
    names, draw = NAMES, random.Random(0)
    made = [*bombs(), *strangers(), *lies()]
    whole = [encoded(kind) for kind in FORMATS]
    while len(made) < count:
        data = whole[len(made) % len(whole)]
        packed = len(made) % len(whole) < PACKED and draw.random() < 0.6
        made.append(spoiled(data, draw) if packed else data[: draw.randrange(1, len(data) // 2)])
    for place, data in enumerate(made[:count]):
        yield names[place % len(names)], data


def encoded(kind: str) -> bytes:
    file = io.BytesIO()
    picture(1, (64, 48)).save(file, kind)
    return file.getvalue()


def spoiled(data: bytes, draw: random.Random) -> bytes:
    """The beginning, then noise."""
    keep = draw.randrange(2, 30)
    return data[:keep] + draw.randbytes(len(data) - keep)


def bombs() -> list[bytes]:
    side = int(PIXELS**0.5) + 2
    bilevel = io.BytesIO()
    Image.new("1", (side, side)).save(bilevel, "PNG")
    strip = io.BytesIO()
    Image.new("L", (60000, 2)).save(strip, "PNG")
    words = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(80_000_000)))
    text = png_of(32, 24, zlib.compress(bytes(24 * 97)), words)
    return [
        bilevel.getvalue(),
        strip.getvalue(),
        png_of(2**31 - 1, 2**31 - 1, b"x"),
        png_of(100_000, 100_000, zlib.compress(bytes(1000))),
        b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, 65000, 65000, 1, 24, 0, 0, 0, 0, 0, 0),
        b"GIF89a" + struct.pack("<HHBBB", 65535, 65535, 0x80, 0, 0) + bytes(6) + b",",
        b"P6 99999 99999 255\n" + bytes(100),
        gzip.compress(bytes(5_000_000)),
        text[:-20],
    ]


def png_of(width: int, height: int, data: bytes, more: bytes = b"") -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def strangers() -> list[bytes]:
    """Files of other kinds."""
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>"
    return [
        b"", b"\0", b"\0" * 4096, b"MZ" + bytes(200), b"\x7fELF" + bytes(200), b"PK\3\4" + bytes(100), svg,
        b"%PDF-1.7\n%%EOF", b"<!doctype html><script>alert(1)</script>", b'{"a": [1, 2]}', b"\xff\xfe\xfd" * 100,
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 99999 99999\n(/etc/passwd) (r) file\n", b"\x93NUMPY\1\0v\0{}",
        b"\x80\4cposix\nsystem\n(S'true'\ntR.", b"#!/bin/sh\nexit 1\n", "плохо".encode("utf-16"), b"8BPS" + bytes(90),
        b"RIFF\xff\xff\xff\xffWAVE",
    ]  # fmt: skip


def lies() -> list[bytes]:
    """A head that promises what does not follow."""
    good = encoded("PNG")
    return [
        good[:8], good[:33], good[:-13][:60], b"\xff\xd8\xff\xe0", b"\xff\xd8\xff\xe1\xff\xffExif\0\0" + bytes(60000),
        b"II*\0\xff\xff\xff\xff", b"MM\0*\0\0\0\10\xff\xff" + b"\x01" * 400, b"GIF89a", b"BM", b"RIFF\4\0\0\0WEBP",
        png_of(10, 10, b""), png_of(0, 0, zlib.compress(b"")), png_of(10, 10, zlib.compress(bytes(3))),
        b"\0\0\1\0\xff\xff" + b"\xff" * 500, b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(40), b"P5 10 10 255\n",
    ]  # fmt: skip
