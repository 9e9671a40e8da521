from __future__ import annotations

import numpy as np
import pytest
import torch

from rsi_gradcam import GradCAM
from rsi_gradcam.figures import overlay, picture
from tests.figures.explanations import NETWORK, explanation, grad_cam, grey, noise, said, spot
from tests.figures.test_comparison import overlapping, within


def test_the_words_say_class_probability_method_layer_passes_error_and_residual():
    words = said(picture(noise(30, 20), explanation(), network=NETWORK))
    assert words.splitlines() == [
        "tiger cat, 39.3%",
        "RSI-Grad-CAM at stage1 (blocks.0)",
        "0",
        "0.5",
        "1",
        "15 passes · error 0.004 · residual +2.5%",
    ]


def test_beside_the_photo_hangs_its_overlay_as_the_network_saw_it():
    photo, one = noise(30, 20), explanation(spot(3, 3, 0, 2))
    left, right, _ = (place.images[0].get_array() for place in picture(photo, one, network=NETWORK, alpha=0.4).axes)
    assert (left == np.asarray(photo)).all()
    expected = overlay(photo, one.normalised[0], preprocess=NETWORK.preprocess, alpha=0.4)
    assert (right == np.asarray(expected)).all()


def test_what_is_wrong_is_said_with_what_to_try():
    words = said(picture(noise(30, 20), grad_cam(raw=torch.rand(4, 4) * 1e-12), network=NETWORK))
    assert "dark heatmap" in words
    assert "Normalise without" in words


def test_a_dollar_in_a_name_is_a_dollar():
    assert "$5 bill, 39.3%" in said(picture(noise(30, 20), explanation(category=2), network=NETWORK))


@pytest.mark.parametrize("size", [(600, 30), (30, 600), (9, 9)])
def test_whatever_the_photos_shape_no_word_leaves_the_page_or_lies_on_another(size):
    figure = picture(grey(*size), explanation(torch.zeros(4, 4), residual=0.3), network=NETWORK)
    assert within(figure)
    assert not overlapping(figure)


def test_without_a_photo_it_is_the_bare_map():
    bare, _ = (place.images[0].get_array() for place in picture(None, explanation(spot(4, 4, 0, 3))).axes)
    assert bare.shape == (8, 8, 3)
    assert bare.sum(2).argmax() == 7


def test_a_method_without_a_path_has_no_error_to_tell():
    assert "error" not in said(picture(None, explanation(method=GradCAM())))
