"""Each mode of Pillow's, written to a file and read back: its pixels against what a person would see."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from PIL import Image, ImageCms

from rsi_gradcam.images import read_photo

RED, WHITE = (255, 0, 0), (255, 255, 255)


def pixels(photo):
    assert photo.mode == "RGB"
    return np.asarray(photo).astype(int)


def test_a_palette_gives_its_colours(tmp_path):
    path = tmp_path / "palette.gif"
    image = Image.new("RGB", (8, 8), WHITE)
    image.paste(RED, (0, 0, 4, 8))
    image.quantize(4).save(path)
    assert np.array_equal(pixels(read_photo(path)), np.asarray(image))


@pytest.mark.parametrize("mode", ["RGBA", "PA"])
def test_half_transparent_red_on_white_is_pink(tmp_path, mode):
    path = tmp_path / "pink.png"
    image = Image.new("RGBA", (2, 1), (255, 0, 0, 128))
    image.putpixel((1, 0), (9, 9, 9, 0))
    if mode == "PA":
        image = image.quantize(4)
    image.save(path)
    assert pixels(read_photo(path)).tolist() == [[[255, 127, 127], [255, 255, 255]]]


def test_transparent_grey_is_laid_on_white(tmp_path):
    path = tmp_path / "grey_alpha.png"
    image = Image.new("LA", (2, 1), (100, 255))
    image.putpixel((1, 0), (0, 51))
    image.save(path)
    assert pixels(read_photo(path)).tolist() == [[[100] * 3, [204] * 3]]


@pytest.mark.parametrize(("mode", "clear", "solid"), [("P", 0, 1), ("L", 7, 200), ("RGB", (1, 2, 3), (9, 9, 9))])
def test_a_colour_declared_transparent_is_white(tmp_path, mode, clear, solid):
    path = tmp_path / "keyed.png"
    image = Image.new(mode, (2, 1), clear)
    if mode == "P":
        image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((1, 0), solid)
    image.save(path, transparency=clear)
    shown = {"P": [40, 50, 60], "L": [200] * 3, "RGB": [9, 9, 9]}[mode]
    assert pixels(read_photo(path)).tolist() == [[[255, 255, 255], shown]]


def test_printing_inks_become_light(tmp_path):
    path = tmp_path / "inks.tif"
    image = Image.new("CMYK", (3, 1), (0, 255, 255, 0))
    image.putpixel((1, 0), (0, 0, 0, 0))
    image.putpixel((2, 0), (0, 0, 0, 255))
    image.save(path)
    assert pixels(read_photo(path)).tolist() == [[list(RED), list(WHITE), [0, 0, 0]]]


def test_inks_of_a_jpeg_are_not_inverted(tmp_path):
    path = tmp_path / "inks.jpg"
    Image.new("CMYK", (8, 8), (0, 255, 255, 0)).save(path, quality=100)
    assert np.abs(pixels(read_photo(path)) - RED).max() < 6


def test_lab_becomes_rgb(tmp_path):
    path = tmp_path / "lab.tif"
    grey = Image.new("RGB", (4, 4), (128, 128, 128))
    lab = ImageCms.profileToProfile(
        grey, ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), outputMode="LAB"
    )
    lab.save(path)
    assert np.abs(pixels(read_photo(path)) - 128).max() <= 2


@pytest.mark.parametrize(("ending", "kind"), [("png", "<u2"), ("tif", "<u2"), ("tif", ">u2"), ("pgm", "<u2")])
def test_sixteen_bits_keep_their_shades(tmp_path, ending, kind):
    path = tmp_path / f"deep.{ending}"
    shades = np.array([[0, 257, 128 * 257, 65535]], dtype=kind)
    if kind == ">u2":
        path.write_bytes(big_endian_tiff(shades))
    else:
        Image.fromarray(shades).save(path)
    assert pixels(read_photo(path))[0, :, 0].tolist() == [0, 1, 128, 255]


def big_endian_tiff(shades):
    entries = [
        (256, 3, shades.shape[1]), (257, 3, 1), (258, 3, 16), (259, 3, 1),
        (262, 3, 1), (273, 4, 200), (278, 3, 1), (279, 4, shades.nbytes),
    ]  # fmt: skip
    fields = b"".join(
        struct.pack(">HHIHH", tag, kind, 1, value, 0) if kind == 3 else struct.pack(">HHII", tag, kind, 1, value)
        for tag, kind, value in entries
    )
    head = b"MM\0*" + struct.pack(">IH", 8, len(entries)) + fields + bytes(4)
    return head.ljust(200, b"\0") + shades.tobytes()


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([0.0, 0.5, 1.0], [0, 128, 255]),
        ([0.0, 100.0, 255.0], [0, 100, 255]),
        ([0.0, 32896.0, 65535.0], [0, 128, 255]),
        ([-1.0, 0.0, 1.0], [0, 128, 255]),
        ([0.0, np.nan, 1.0], [0, 0, 255]),
        ([0.0, np.inf, 1.0], [0, 255, 255]),
    ],
)
def test_floats_are_scaled_by_the_range_they_fit(tmp_path, values, shown):
    path = tmp_path / "floats.tif"
    Image.fromarray(np.array([values], dtype=np.float32)).save(path)
    assert pixels(read_photo(path))[0, :, 1].tolist() == shown


@pytest.mark.parametrize(
    ("values", "shown"),
    [([0, 257, 65535], [0, 1, 255]), ([-100, 0, 100], [0, 128, 255]), ([70000] * 3, [0] * 3)],
)
def test_wide_whole_numbers_are_16_bits_or_else_stretched(tmp_path, values, shown):
    path = tmp_path / "wide.tif"
    Image.fromarray(np.array([values], dtype=np.int32)).save(path)
    assert pixels(read_photo(path))[0, :, 2].tolist() == shown


def test_sixteen_bit_colours_keep_their_shades(tmp_path):
    tifffile = pytest.importorskip("tifffile")
    path = tmp_path / "deep_colour.tif"
    tifffile.imwrite(path, np.array([[[0, 32896, 65535]]], dtype=np.uint16), photometric="rgb")
    assert pixels(read_photo(path)).tolist() == [[[0, 128, 255]]]


@pytest.mark.parametrize(("mode", "value", "shown"), [("L", 77, 77), ("1", 1, 255)])
def test_grey_is_the_same_in_all_colours(tmp_path, mode, value, shown):
    path = tmp_path / "grey.png"
    Image.new(mode, (2, 2), value).save(path)
    assert (pixels(read_photo(path)) == shown).all()
