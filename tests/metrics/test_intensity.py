from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.heatmap import normalise, upsample
from rsi_gradcam.metrics import Intensity
from tests.metrics.boxed import draw_map, look, measured
from tests.oracles import range_of_maps as oracle
from tests.oracles.pixels import normalised


@given(st.integers(0, 1000), st.integers(-12, 2))
def test_it_is_the_loop_over_pixels(seed, scale):
    raw = (draw_map(seed) + 0.3) * 10.0**scale
    found = measured(Intensity(), look(torch.ones(8, 8), raw=raw))
    assert found["raw"] == pytest.approx(oracle.mean(raw.tolist()))
    assert found["normalised"] == pytest.approx(oracle.mean(normalised(raw.tolist(), 1e-8)))


def test_by_hand():
    """The mean of 0 and 3e-8 is 1.5e-8; with ε = 1e-8 the one is 0 and the other three quarters."""
    found = measured(Intensity(), look(torch.ones(1, 2), raw=torch.tensor([[0.0, 3e-8]])))
    assert found == pytest.approx({"raw": 1.5e-8, "normalised": 0.375})


def test_without_epsilon_the_normalised_mean_does_not_hang_on_the_scale():
    raw = draw_map(1)
    for scale in (1.0, 1e-12):
        seen = look(torch.ones(8, 8), raw=raw * scale)
        assert measured(Intensity(epsilon=0.0), seen)["normalised"] == pytest.approx(float(raw.mean()), rel=1e-5)
    assert measured(Intensity(), seen)["normalised"] < 1e-4


def test_the_mean_at_the_maps_resolution_is_that_at_the_images():
    raw = draw_map(2)
    heatmap = upsample(normalise(raw[None], 1e-8), (64, 64))[0]
    found = measured(Intensity(), look(heatmap, raw=raw))["normalised"]
    assert found == pytest.approx(float(heatmap.mean()), rel=1e-5)


@pytest.mark.parametrize("exponent", [-9, -7, 0])
def test_the_presets_are_the_means_that_the_libraries_leave(exponent):
    raw = (draw_map(3) + 0.5) * 10.0**exponent
    seen = look(torch.ones(8, 8), raw=raw)
    grad_cam = pytest.importorskip("pytorch_grad_cam.utils.image")
    theirs = grad_cam.scale_cam_image(raw[None].numpy()).mean()
    found = measured(Intensity(**Intensity.presets["pytorch-grad-cam"]), seen)
    assert found["normalised"] == pytest.approx(float(theirs), rel=1e-4)
    torchcam = pytest.importorskip("torchcam.methods.core")
    theirs = torchcam._CAM._normalize(raw[None].clone()).mean()
    found = measured(Intensity(**Intensity.presets["torchcam"]), seen)
    assert found["normalised"] == pytest.approx(float(theirs), rel=1e-4)


def test_a_map_of_ones_that_was_not_normalised_is_as_bright_as_its_heatmap():
    ones = torch.ones(8, 8)
    assert measured(Intensity(), look(ones, raw=ones)) == {"raw": 1.0, "normalised": 1.0}
    assert measured(Intensity(), look(torch.zeros(8, 8), raw=ones)) == {"raw": 1.0, "normalised": 0.0}


def test_a_wrong_convention_is_refused():
    with pytest.raises(ConfigurationError, match="epsilon must be 0 or more, got -1"):
        Intensity(epsilon=-1.0)
