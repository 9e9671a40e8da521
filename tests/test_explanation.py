from __future__ import annotations

import torch

from rsi_gradcam import explain
from tests.agreement import agree
from tests.networks import Scaled, images, network, zeros
from tests.oracles.pixels import bilinear, normalised


def test_the_heatmap_is_the_raw_map_normalised_and_then_upsampled():
    found = explain(network("smooth"), images(2), "tanh2", "integrated_grad_cam", 1, zeros(), steps=4)
    for row in range(2):
        small = normalised(found.raw[row].tolist())
        agree(found.normalised[row], small, 1e-12)
        agree(found.heatmap[row], bilinear(small, 16, 16), 1e-12)
    assert found.normalised.amax((1, 2)).tolist() == [1.0, 1.0]


def test_epsilon_is_that_of_the_normalisation_and_leaves_the_raw_map_alone():
    model, x = Scaled(network("pooled"), 40.0), images(1)
    without, with_it = (explain(model, x, "network.relu2", "grad_cam", epsilon=each) for each in (None, 1e-8))
    assert torch.equal(without.raw, with_it.raw)
    assert without.normalised.max() == 1
    agree(with_it.normalised[0], normalised(with_it.raw[0].tolist(), 1e-8), 1e-12)


def test_what_is_dark_is_told_of_the_raw_map():
    model, x = network("pooled"), images(2)
    found = explain(Scaled(model, 60.0), x, "network.relu2", "grad_cam")
    ranges = found.raw.amax((1, 2)) - found.raw.amin((1, 2))
    assert found.is_dark().tolist() == (ranges < 1e-8).tolist()
    assert found.is_dark(1e-300).tolist() == [False, False]


def test_a_signed_map_shows_what_speaks_for_the_class():
    found = explain(network("plain"), images(1), "features.5", "rsi_hires_cam", 1, zeros(), steps=4)
    assert found.raw.min() < 0
    agree(found.normalised[0], normalised(found.raw[0].clamp(min=0).tolist()), 1e-12)


def test_its_text_names_method_layer_and_score():
    text = repr(explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, zeros(), steps=2))
    assert "RSIGradCAM(rule='trapezoid', units='all', positive_gradients=False) at 'features.5'" in text
    assert "\n" not in text
