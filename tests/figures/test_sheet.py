from __future__ import annotations

import copy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import comparison, picture, save, to_image
from rsi_gradcam.figures.sheet import Sheet, wrapped
from tests.figures.explanations import NETWORK, explanation, noise, pixels


@pytest.fixture
def figure():
    return picture(noise(30, 20), explanation(), network=NETWORK)


def test_a_figure_becomes_an_rgb_image_of_its_size_in_dots(figure):
    image = to_image(figure, 100)
    width, height = figure.get_size_inches()
    assert image.mode == "RGB"
    assert image.size == (int(width * 100), int(height * 100))
    assert image.getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("ending", [".png", ".jpg", ".webp", ".tif", ".PNG"])
def test_a_file_of_pixels_is_rgb_and_knows_its_resolution(figure, tmp_path, ending):
    with Image.open(save(figure, tmp_path / f"picture{ending}", dpi=120)) as image:
        assert image.mode == "RGB"
        if ending != ".webp":
            assert image.info["dpi"] == pytest.approx((120, 120), abs=0.1)


def test_an_svg_is_xml_with_its_pictures_inside(figure, tmp_path):
    root = ElementTree.parse(save(figure, tmp_path / "picture.svg")).getroot()
    assert root.tag.endswith("svg")
    pictures = [each for each in root.iter() if each.tag.endswith("image")]
    assert len(pictures) == 3
    assert all(
        value.startswith("data:image/png") for each in pictures for key, value in each.items() if "href" in key
    )
    assert "tiger cat, 39.3%" in (tmp_path / "picture.svg").read_text()


def test_a_pdf_is_a_pdf(figure, tmp_path):
    assert save(figure, tmp_path / "picture.pdf").read_bytes().startswith(b"%PDF")


def test_an_overlay_is_saved_pixel_for_pixel(tmp_path):
    photo = noise(13, 7)
    with Image.open(save(photo, tmp_path / "photo.png")) as image:
        assert (pixels(image) == pixels(photo)).all()


@pytest.mark.parametrize("name", ["picture", "picture.xyz", "picture.svg"])
def test_an_ending_that_says_nothing_is_refused(tmp_path, name):
    with pytest.raises(ConfigurationError, match=r"end it in one of \.png"):
        save(noise(3, 3), tmp_path / name)


def test_nothing_global_changes():
    before = copy.deepcopy(dict(mpl.rcParams))
    to_image(comparison(noise(30, 20), [explanation()]))
    assert dict(mpl.rcParams) == before
    code = "import sys; from rsi_gradcam.figures.sheet import Sheet; Sheet.blank(1, 1); "
    code += "sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_users_settings_do_not_spoil_the_page(figure):
    plain = pixels(to_image(figure))
    dark = {"text.color": "w", "figure.facecolor": "k", "figure.autolayout": True, "image.interpolation": "none"}
    with mpl.rc_context({**dark, "font.size": 30, "savefig.facecolor": "k"}):
        again = pixels(to_image(picture(noise(30, 20), explanation(), network=NETWORK)))
    assert (again == plain).all()


def test_two_threads_draw_what_one_draws():
    def draw(seed):
        return pixels(to_image(picture(noise(30, 20, seed), explanation(), network=NETWORK), 80))

    alone = [draw(seed) for seed in range(6)]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(draw, range(6)))
    assert all((a == b).all() for a, b in zip(alone, together, strict=True))


def test_a_picture_fills_its_rectangle():
    sheet = Sheet.blank(2, 1)
    sheet.picture(Image.new("RGB", (3, 3), "black"), 0.5, 0.25, 1.0, 0.5)
    dark = (pixels(to_image(sheet.figure, 100)) == 0).all(2)
    rows, columns = np.nonzero(dark)
    assert (rows.min(), rows.max() + 1, columns.min(), columns.max() + 1) == (25, 75, 50, 150)


def test_without_matplotlib_the_extra_is_named_and_overlays_still_work():
    code = """
import sys
sys.modules["matplotlib"] = None
import torch
from PIL import Image
from rsi_gradcam.errors import MissingExtra
from rsi_gradcam.figures import heatmap_picture, overlay
from rsi_gradcam.figures.sheet import Sheet, wrapped
overlay(Image.new("RGB", (9, 9)), torch.rand(3, 3), threshold=0.5)
heatmap_picture(torch.rand(3, 3))
try:
    Sheet.blank(1, 1)
except MissingExtra as error:
    sys.exit(0 if "rsi-gradcam[figures]" in str(error) else 2)
sys.exit(1)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_notebook_can_show_a_figure(figure):
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_names_are_broken_where_their_words_end():
    assert wrapped("RSI-Grad-CAM (positive_gradients=True,units=relu)", 8.5, 1.15) == [
        "RSI-Grad-CAM",
        "(positive_",
        "gradients=True,",
        "units=relu)",
    ]
