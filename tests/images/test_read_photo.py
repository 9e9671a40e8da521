"""Each kind of file made here: its pixels against what a person would see, or its refusal in one line."""

from __future__ import annotations

import io
import os

import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.errors import ImageError
from rsi_gradcam.images import read_photo

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def pixels(photo):
    assert photo.mode == "RGB"
    return np.asarray(photo).astype(int)


@pytest.fixture
def corners():
    """Wider than high: red at the top left, green right of it, blue below it."""
    image = Image.new("RGB", (32, 16), WHITE)
    image.paste(RED, (0, 0, 8, 8))
    image.paste(GREEN, (24, 0, 32, 8))
    image.paste(BLUE, (0, 8, 8, 16))
    return image


SEEN_UPRIGHT = {
    1: lambda a: a,
    2: lambda a: a[:, ::-1],
    3: lambda a: a[::-1, ::-1],
    4: lambda a: a[::-1],
    5: lambda a: a.swapaxes(0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.rot90(a, 2).swapaxes(0, 1),
    8: np.rot90,
}


@pytest.mark.parametrize("orientation", SEEN_UPRIGHT)
@pytest.mark.parametrize("ending", ["png", "jpg", "tif", "webp"])
def test_every_orientation_is_turned_upright(tmp_path, corners, orientation, ending):
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / f"turned.{ending}"
    keep = {"jpg": {"quality": 100, "subsampling": 0}, "webp": {"lossless": True}}
    corners.save(path, exif=exif, **keep.get(ending, {}))
    expected = SEEN_UPRIGHT[orientation](np.asarray(corners).astype(int))
    photo = pixels(read_photo(path))
    assert photo.shape == expected.shape
    assert np.abs(photo - expected).mean() < 3


@pytest.mark.filterwarnings("ignore:Corrupt EXIF")
def test_a_broken_exif_block_does_not_hide_the_photo(tmp_path, corners):
    path = tmp_path / "bad_exif.png"
    corners.save(path, exif=b"Exif\0\0MM\0*" + b"\xff" * 20)
    assert np.array_equal(pixels(read_photo(path)), np.asarray(corners))


@pytest.mark.parametrize("ending", ["gif", "png", "webp", "tif"])
def test_the_first_frame_stands_for_an_animation(tmp_path, ending):
    path = tmp_path / f"moving.{ending}"
    frames = [Image.new("RGB", (4, 4), colour) for colour in (RED, GREEN, BLUE)]
    keep = {"lossless": True} if ending == "webp" else {}
    frames[0].save(path, save_all=True, append_images=frames[1:], **keep)
    assert (pixels(read_photo(path)) == RED).all()


def test_an_open_file_is_read_too(corners):
    file = io.BytesIO()
    corners.save(file, "PNG")
    file.seek(0)
    assert np.array_equal(pixels(read_photo(file)), np.asarray(corners))


@pytest.mark.parametrize("ending", ["jpg", "png", "gif", "webp", "tif", "bmp"])
def test_a_file_cut_short_is_refused_in_one_line(tmp_path, ending):
    path = tmp_path / f"cut.{ending}"
    noise = np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8)
    Image.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert refusal(path).startswith(f"{path} is broken or cut short (")


def test_a_file_with_damage_inside_is_refused(tmp_path, corners):
    path = tmp_path / "damaged.png"
    corners.save(path)
    data = bytearray(path.read_bytes())
    at = data.index(b"IDAT") + 10
    data[at : at + 8] = bytes(8)
    path.write_bytes(data)
    assert "broken" in refusal(path)


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "empty.jpg"
    path.touch()
    assert "empty (0 bytes)" in refusal(path)


@pytest.mark.parametrize("content", [b"hello, I am a text", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"])
def test_what_is_no_photo_is_refused(tmp_path, content):
    path = tmp_path / "text.jpg"
    path.write_bytes(content)
    assert "no photo that Pillow can read" in refusal(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    assert "No such file" in refusal(tmp_path / "none.jpg")
    assert "is a folder" in refusal(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_refused(tmp_path, corners):
    path = tmp_path / "locked.png"
    corners.save(path)
    path.chmod(0)
    assert "may not be read" in refusal(path)


def test_a_bomb_is_refused_before_it_is_decoded(tmp_path):
    path = tmp_path / "bomb.png"
    Image.new("1", (20_000, 10_000)).save(path)
    assert "20000×10000 pixels, 200 million; the limit is 179" in refusal(path)


def test_the_limit_can_be_set_both_ways(tmp_path):
    path = tmp_path / "wide.png"
    Image.new("1", (12_000, 10_000)).save(path)  # more than where Pillow itself begins to warn
    assert read_photo(path, pixel_limit=130_000_000).size == (12_000, 10_000)
    with pytest.raises(ImageError, match="limit is 100"):
        read_photo(path, pixel_limit=100_000_000)


def test_pillows_own_limit_is_left_as_it_was(tmp_path, corners):
    before = Image.MAX_IMAGE_PIXELS
    corners.save(tmp_path / "a.png")
    read_photo(tmp_path / "a.png")
    assert before == Image.MAX_IMAGE_PIXELS


def refusal(path):
    with pytest.raises(ImageError) as caught:
        read_photo(path)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return message


@pytest.mark.parametrize("orientation", SEEN_UPRIGHT)
def test_not_turned_the_pixels_are_as_they_are_stored(tmp_path, corners, orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    corners.save(tmp_path / "turned.png", exif=exif)
    assert np.array_equal(pixels(read_photo(tmp_path / "turned.png", turned=False)), np.asarray(corners))
