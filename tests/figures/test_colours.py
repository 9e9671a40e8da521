from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures.colours import COLOUR_MAPS, DEFAULT, colour, table

UNIFORM = ("inferno", "magma", "viridis", "cividis")


@pytest.mark.parametrize("name", COLOUR_MAPS)
def test_the_colours_are_matplotlibs(name):
    matplotlib = pytest.importorskip("matplotlib")
    theirs = matplotlib.colormaps[name](np.linspace(0, 1, 256))[:, :3] * 255
    off = np.abs(table(name).astype(float) - theirs)
    assert off.max() <= (1 if name == "jet" else 6.5)
    assert off.mean() < 1


@pytest.mark.parametrize("name", UNIFORM)
def test_more_is_always_lighter_in_the_uniform_maps(name):
    lightness = lab(table(name))[:, 0]
    assert (np.diff(lightness[::4]) > 0).all()


@pytest.mark.parametrize("name", UNIFORM)
def test_equal_steps_look_about_equal_in_the_uniform_maps_and_not_in_jet(name):
    assert unevenness(name) < 0.3 < unevenness("jet")


def test_the_default_is_a_uniform_map():
    assert DEFAULT in UNIFORM


def test_values_beyond_the_ends_have_the_ends_colours():
    values = np.array([[-1.0, 0.0], [1.0, 7.0]], dtype=np.float32)
    low, high = table("viridis")[[0, 255]]
    assert (colour(values, "viridis") == [[low, low], [high, high]]).all()


def test_a_value_has_the_nearest_of_256_colours():
    assert (colour(np.array([100.4 / 255, 100.6 / 255], np.float32), "turbo") == table("turbo")[[100, 101]]).all()


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(ConfigurationError, match="did you mean viridis"):
        table("virdis")


def test_nobody_can_spoil_the_table():
    with pytest.raises(ValueError, match="read-only"):
        table("jet")[0] = 0


def lab(rgb):
    color = pytest.importorskip("skimage.color")
    return color.rgb2lab(rgb[None] / 255.0)[0]


def unevenness(name):
    """Spread of the perceived steps between colours against their mean, by the distance of CIE 1976."""
    steps = np.linalg.norm(np.diff(lab(table(name))[::8], axis=0), axis=1)
    return steps.std() / steps.mean()
