from __future__ import annotations

import base64
import io
import re
from dataclasses import replace

import numpy as np
import torch
from PIL import Image

from rsi_gradcam.figures import heatmap_picture, overlay, picture
from tests.figures.explanations import NETWORK, explanation, noise, pixels, said, spot


def batch(count):
    return replace(explanation(), raw=torch.rand(count, 4, 4))


def opened(data):
    return Image.open(io.BytesIO(data))


def test_an_explanation_shows_its_bare_heatmap():
    one = explanation(spot(4, 4, 0, 3))
    assert (pixels(opened(one._repr_png_())) == pixels(heatmap_picture(one.normalised[0], (224, 224)))).all()


def test_of_a_large_batch_the_first_eight_are_shown_and_that_is_said():
    assert opened(batch(11)._repr_png_()).size == (8 * 224 + 7 * 8, 224)
    assert "the first 8 of 11" in batch(11)._repr_html_()
    assert "the first" not in batch(3)._repr_html_()


def test_the_html_holds_the_picture_and_says_what_it_is():
    one = explanation()
    html = one._repr_html_()
    (data,) = re.findall(r"data:image/png;base64,([^\"]+)", html)
    assert base64.b64decode(data) == one._repr_png_()
    assert "RSIGradCAM(rule=&#x27;trapezoid&#x27;" in html


def test_the_methods_of_an_explanation_are_the_functions():
    one, photo = explanation(), noise(21, 30)
    assert (
        pixels(one.overlay(photo, threshold=0.5)) == pixels(overlay(photo, one.normalised[0], threshold=0.5))
    ).all()
    mine, theirs = one.plot(photo, network=NETWORK), picture(photo, one, network=NETWORK)
    assert said(mine) == said(theirs)
    assert np.array_equal(mine.axes[1].images[0].get_array(), theirs.axes[1].images[0].get_array())
    assert len(one.plot().axes) == 2
