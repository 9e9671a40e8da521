from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.errors import ImageError
from rsi_gradcam.web.limits import PIXELS, SHOWN, UPLOAD_BYTES
from rsi_gradcam.web.naming import plain_name
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.photo_input import given
from tests.web.fakes import picture, png


def read(folder, data, name="photo.png"):
    path = folder / "sent"
    path.write_bytes(data)
    return Photo.read(path, name)


def test_a_photo_keeps_every_pixel_and_shows_a_smaller_one(tmp_path):
    data = png(size=(1500, 300))
    photo = read(tmp_path, data)
    np.testing.assert_array_equal(np.asarray(photo.image()), np.asarray(picture(size=(1500, 300))))
    shown = Image.open(io.BytesIO(base64.b64decode(photo.shown.split(",")[1])))
    assert shown.size == (SHOWN, SHOWN // 5)
    assert photo.size == (1500, 300)


def test_a_small_photo_is_shown_as_it_is(tmp_path):
    assert read(tmp_path, png(size=(40, 30))).small(100).size == (40, 30)


def test_a_bomb_is_refused_before_it_is_decoded(tmp_path):
    file = io.BytesIO()
    Image.new("1", (PIXELS // 1000 + 1, 1000)).save(file, "PNG")
    with pytest.raises(ImageError, match="million"):
        read(tmp_path, file.getvalue())


def test_a_strip_is_refused_which_a_network_would_blow_up(tmp_path):
    with pytest.raises(ImageError, match="strip"):
        read(tmp_path, png(size=(2000, 3)))


def test_a_file_beyond_the_limit_is_not_read(tmp_path):
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(UPLOAD_BYTES + 1)
    with pytest.raises(ImageError, match="MB"):
        Photo.read(path, "large")


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"GIF89a", png()[:60], b"<svg/>", b"%PDF-1.7"])
def test_what_is_no_photo_is_said_in_one_line(tmp_path, data):
    with pytest.raises(ImageError) as raised:
        read(tmp_path, data)
    assert "\n" not in str(raised.value)
    assert str(tmp_path) not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "plain"),
    [("../../etc/passwd", "passwd"), ("C:\\a\\b.png", "b.png"), ("a\nb\x00.png", "ab.png"), ("..", ".."),
     ("", "photo"), ("x" * 300, "x" * 80), ("Ж猫.png", "Ж猫.png")],
)  # fmt: skip
def test_a_name_loses_its_folders_and_what_cannot_be_printed(name, plain):
    assert plain_name(name) == plain


def test_nothing_chosen_is_nothing_given():
    assert given(None) is None
