from __future__ import annotations

import torch

from rsi_gradcam.figures import picture
from rsi_gradcam.figures.shown import is_of_pixels, shown
from tests.figures.explanations import INPUT, explanation, said


def of_pixels():
    """One pixel of a hundred times the others' strength."""
    raw = torch.linspace(0, 1, 64 * 64).view(64, 64)
    raw[0, 0] = 100
    return replace_size(explanation(raw), (64, 64))


def replace_size(e, size):
    from dataclasses import replace

    return replace(e, size=size)


def test_one_pixel_does_not_leave_the_rest_of_a_map_of_pixels_dark():
    e = of_pixels()
    assert e.normalised[0].median() < 0.006
    drawn = shown(e)
    assert 0.49 < drawn.median() < 0.52
    assert drawn.max() == 1
    assert float((drawn == 1).float().mean()) <= 0.006


def test_the_values_stay_as_they_are():
    e = of_pixels()
    shown(e)
    assert e.normalised[0].max() == 1
    assert e.normalised[0].median() < 0.006


def test_a_map_of_a_layer_is_drawn_as_it_is():
    e = explanation()
    assert e.raw.shape[-2:] != INPUT
    assert not is_of_pixels(e)
    assert torch.equal(shown(e), e.normalised[0])


def test_a_map_that_is_dark_but_for_a_few_pixels_is_drawn_as_it_is():
    raw = torch.zeros(64, 64)
    raw[3, 3] = 1
    e = replace_size(explanation(raw), (64, 64))
    assert torch.equal(shown(e), e.normalised[0])


def test_a_titled_picture_says_so():
    assert "99.5th percentile" in said(picture(None, of_pixels())).replace("\n", " ")
