from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from rsi_gradcam.errors import ConfigurationError, ShapeError
from rsi_gradcam.figures import overlay
from rsi_gradcam.figures.colours import COLOUR_MAPS, table
from rsi_gradcam.figures.lines import FRAME, line_width
from rsi_gradcam.figures.overlay import SHADE
from rsi_gradcam.images import Preprocess, place
from tests.figures.explanations import grey, noise, pixels, spot

SIZES = [(33, 21), (21, 33), (24, 24), (101, 13), (13, 101), (640, 427)]
WAYS = [
    None,
    Preprocess((16, 16), "squash"),
    Preprocess((16, 16), "crop"),
    Preprocess((16, 12), "crop", crop_pct=0.8),
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("preprocess", WAYS)
def test_alpha_0_is_the_photo_itself(size, preprocess):
    photo = noise(*size)
    assert (pixels(overlay(photo, torch.rand(4, 5), preprocess=preprocess, alpha=0)) == pixels(photo)).all()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["squash", "crop"])
def test_the_hot_spot_lies_on_the_pixel_that_the_network_saw_there(size, mode):
    """A photo with one bright patch goes through the preprocessing; the map of the brightest input comes back."""
    preprocess = Preprocess((16, 16), mode)
    photo = grey(*size, 0)
    width, height = size
    x, y = round(width * 0.52), round(height * 0.46)
    reach = max(2, min(size) // 12)
    photo.paste((255, 255, 255), (x - reach, y - reach, x + reach, y + reach))
    seen = preprocess.pixels(photo).mean(0)
    heatmap = (seen / seen.max()).clamp(0, 1)
    heat = pixels(overlay(grey(*size), heatmap, preprocess=preprocess, colours="inferno", alpha=1)).sum(2)
    heat[place(heatmap, preprocess.window(size), size).isnan().numpy()] = 0
    rows, columns = np.nonzero(heat >= heat.max() * 0.97)
    cell = preprocess.window(size)
    assert abs(columns.mean() + 0.5 - x) <= 0.75 * cell.width / 16 + 1
    assert abs(rows.mean() + 0.5 - y) <= 0.75 * cell.height / 16 + 1


def test_squashed_the_map_covers_every_pixel_and_a_corner_stays_a_corner():
    covered = pixels(overlay(grey(31, 17), spot(4, 4, 0, 3), alpha=1, fade=False))
    assert (covered[0, -1] == table("inferno")[255]).all()
    assert (covered[-1, 0] == table("inferno")[0]).all()
    assert (covered[0, 0] == table("inferno")[0]).all()


@pytest.mark.parametrize(
    ("size", "inside", "outside"), [((40, 20), (10, 10), (10, 5)), ((20, 40), (10, 10), (5, 10))]
)
def test_what_was_cropped_away_is_grey_and_veiled(size, inside, outside):
    photo = Image.new("RGB", size, (200, 40, 0))
    covered = pixels(overlay(photo, torch.ones(4, 4), preprocess=Preprocess((16, 16), "crop"), alpha=1, fade=False))
    assert (covered[inside] == table("inferno")[255]).all()
    red, green, blue = covered[outside]
    assert red == green == blue
    assert red > np.asarray(photo.convert("L"))[outside]


def test_the_window_ends_at_the_pixel_where_the_preprocessing_cuts():
    preprocess = Preprocess((16, 16), "crop")
    covered = pixels(overlay(grey(40, 20), torch.ones(2, 2), preprocess=preprocess, alpha=1, fade=False))
    mapped = (covered == table("inferno")[255]).all(2)
    assert mapped[:, 10:30].all()
    assert not mapped[:, :10].any()
    assert not mapped[:, 30:].any()


@pytest.mark.parametrize("name", COLOUR_MAPS)
def test_covered_evenly_each_pixel_is_the_linear_mixture(name):
    photo, heatmap = noise(9, 7), torch.rand(7, 9)
    expected = 0.6 * pixels(photo) + 0.4 * table(name)[(heatmap.numpy() * 255).round().astype(int)]
    got = pixels(overlay(photo, heatmap, colours=name, alpha=0.4, fade=False))
    assert np.abs(got - expected).max() <= 1.5


def test_fading_covers_more_where_the_map_is_higher():
    blue = pixels(overlay(grey(3, 1, 255), torch.tensor([[0.0, 0.5, 1.0]]), colours="inferno", alpha=0.7))[0, :, 2]
    share = (255 - blue) / (255 - table("inferno")[[0, 128, 255], 2].astype(float))
    assert share == pytest.approx([0.7 * SHADE, 0.7 * (1 + SHADE) / 2, 0.7], abs=0.01)


def test_a_dark_map_darkens_the_whole_photo():
    photo = noise(12, 12)
    covered = pixels(overlay(photo, torch.zeros(3, 3)))
    luminance = np.asarray(photo.convert("L")).astype(float)
    assert (covered.mean(2) <= luminance + 12).all()
    assert covered.mean() < 0.75 * pixels(photo).mean()


def test_the_contour_runs_where_the_map_crosses_the_threshold():
    heatmap = torch.linspace(0, 1, 100).repeat(60, 1)
    plain = overlay(grey(100, 60), heatmap)
    lined = pixels(overlay(grey(100, 60), heatmap, threshold=0.6))
    changed = np.nonzero((lined != pixels(plain)).any(2).any(0))[0]
    assert changed.min() >= 60 - 4
    assert changed.max() <= 60 + 4
    assert lined.sum((0, 2)).argmax() in (59, 60)
    assert lined[:, 59].min() > 200


def test_the_contour_goes_round_the_region_and_nowhere_else():
    axis = torch.linspace(-1, 1, 90)
    disc = (1 - (axis[:, None] ** 2 + axis**2).sqrt()).clamp(0, 1)
    lined = pixels(overlay(grey(90, 90), disc, threshold=0.5))
    white = lined.min(2) > 180
    radius = (axis[:, None] ** 2 + axis**2).sqrt().numpy()
    assert white.any(0).sum() > 40
    assert np.abs(radius[white] - 0.5).max() < 0.03


@pytest.mark.parametrize("heatmap", [torch.zeros(5, 5), torch.ones(5, 5), torch.full((5, 5), 0.5)])
def test_a_map_that_never_crosses_the_threshold_has_no_contour(heatmap):
    photo = noise(50, 40)
    assert (pixels(overlay(photo, heatmap, threshold=0.5)) == pixels(overlay(photo, heatmap))).all()


def test_a_contour_on_a_photo_one_pixel_wide_does_not_fail():
    assert overlay(grey(1, 9), torch.rand(3, 3), threshold=0.5).size == (1, 9)


def test_lines_grow_with_the_photo():
    assert [line_width(size) for size in ((224, 224), (600, 400), (900, 600), (4000, 3000))] == [1, 2, 3, 15]


def test_a_box_is_drawn_just_inside_its_edges():
    drawn = pixels(overlay(grey(60, 40), torch.zeros(2, 2), alpha=0, boxes=[(10, 5, 30, 25)]))
    frame = (drawn == FRAME).all(2)
    rows, columns = np.nonzero(frame)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (5, 24, 10, 29)
    assert frame.sum() == 4 * 19
    assert (drawn[4, 15] == 0).all()
    assert (drawn[6, 15] == 0).all()
    assert (drawn[15, 20] == 128).all()


def test_a_box_may_reach_beyond_the_photo():
    drawn = overlay(grey(20, 20), torch.zeros(2, 2), alpha=0, boxes=[(-5, -5, 10, 10)])
    assert drawn.getpixel((9, 3)) == FRAME


@pytest.mark.parametrize("mode", ["L", "RGBA", "P", "CMYK", "I;16"])
def test_any_mode_comes_back_as_rgb_in_its_size(mode):
    photo = Image.new(mode, (14, 9))
    before = photo.tobytes()
    covered = overlay(photo, torch.rand(3, 3), threshold=0.5, boxes=[(1, 1, 5, 5)])
    assert (covered.mode, covered.size) == ("RGB", (14, 9))
    assert photo.tobytes() == before


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_any_float_type_will_do(dtype):
    heatmap = torch.tensor([[0.0, 0.25], [0.5, 1.0]])
    photo = grey(8, 8)
    assert (pixels(overlay(photo, heatmap.to(dtype))) == pixels(overlay(photo, heatmap))).all()


def test_a_map_that_needs_gradients_will_do():
    assert overlay(grey(8, 8), torch.rand(2, 2, requires_grad=True)).size == (8, 8)


@pytest.mark.parametrize(
    ("heatmap", "options", "error", "words"),
    [
        (torch.rand(1, 4, 4), {}, ShapeError, r"\.heatmap\[0\]"),
        (torch.zeros(4, 4, dtype=torch.uint8), {}, ShapeError, "floats"),
        (torch.full((4, 4), 3.0), {}, ConfigurationError, r"not \.raw"),
        (torch.full((4, 4), torch.nan), {}, ConfigurationError, "nan"),
        (torch.rand(4, 4), {"alpha": 1.5}, ConfigurationError, "alpha"),
        (torch.rand(4, 4), {"threshold": -1.0}, ConfigurationError, "threshold"),
        (torch.rand(4, 4), {"colours": "infern"}, ConfigurationError, "did you mean inferno"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(heatmap, options, error, words):
    with pytest.raises(error, match=words) as caught:
        overlay(grey(8, 8), heatmap, **options)
    assert "\n" not in str(caught.value)
