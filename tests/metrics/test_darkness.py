from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.heatmap import is_dark
from rsi_gradcam.metrics import Darkness
from rsi_gradcam.metrics.darkness import darkness
from tests.metrics.boxed import draw_map, look, measured
from tests.oracles import range_of_maps as oracle

powers = st.integers(-18, 2)


@given(st.integers(0, 1000), powers, powers, st.sampled_from([0.25, 0.5, 0.9]))
def test_it_is_the_normalised_map_that_stays_below(seed, scale, power, below):
    raw = draw_map(seed).double() * 1.7 * 10.0**scale
    assert darkness(raw, [10.0**power], below) == [oracle.dark(raw.tolist(), 10.0**power, below)]


@given(st.integers(0, 1000), powers)
def test_it_is_what_an_explanation_calls_dark(seed, scale):
    raw = draw_map(seed) * 10.0**scale
    here = measured(Darkness(), look(torch.ones(8, 8), raw=raw))
    assert here[""] == is_dark(raw[None].double(), 1e-8)
    assert here["curve"] == [float(is_dark(raw[None].double(), epsilon)) for epsilon in Darkness().epsilons]


def test_by_hand():
    """A range of 1e-8 is dark for ε above it; at ε itself the maximum is one half exactly, which is not below."""
    assert darkness(torch.tensor([[0.0, 1e-8]], dtype=torch.float64), [2e-8, 1e-8, 5e-9]) == [1, 0, 0]


def test_the_decades_are_the_papers():
    assert Darkness().points()[0] == 1e-4
    assert Darkness().points()[-1] == 1e-16
    assert 1e-8 in Darkness().points()


@given(st.integers(0, 1000), powers)
def test_a_smaller_epsilon_darkens_no_map_more(seed, scale):
    curve = measured(Darkness(), look(torch.ones(8, 8), raw=draw_map(seed) * 10.0**scale))["curve"]
    assert curve == sorted(curve, reverse=True)


def test_a_map_without_range_is_dark_even_without_epsilon():
    assert darkness(torch.full((2, 2), 3.0), [0.0]) == [1.0]
    assert darkness(torch.tensor([[0.0, 1e-30]], dtype=torch.float64), [0.0]) == [0.0]


def test_a_map_of_ones_is_dark_only_where_normalising_made_it_so():
    ones = torch.ones(2, 2)
    assert measured(Darkness(), look(torch.zeros(2, 2), raw=ones)) == Darkness().worst()
    assert measured(Darkness(), look(ones, raw=ones)) == {"": 0.0, "curve": [0.0] * 13}


def test_what_is_not_shown_does_not_count():
    raw = torch.tensor([[-5.0, -1.0]])
    assert measured(Darkness(), look(torch.zeros(1, 2), raw=raw))[""] == 1.0
    assert measured(Darkness(), look(torch.ones(1, 2), raw=raw, evidence="signed"))[""] == 0.0


@pytest.mark.parametrize("exponent", range(-12, 0))
def test_the_presets_are_what_the_libraries_normalising_leaves_dark(exponent):
    raw = draw_map(3) * 1.5 * 10.0**exponent
    seen = look(torch.ones(8, 8), raw=raw)
    grad_cam = pytest.importorskip("pytorch_grad_cam.utils.image")
    theirs = grad_cam.scale_cam_image(raw[None].numpy()).max() < 0.5
    assert measured(Darkness(**Darkness.presets["pytorch-grad-cam"]), seen)[""] == theirs
    torchcam = pytest.importorskip("torchcam.methods.core")
    theirs = torchcam._CAM._normalize(raw[None].clone()).max() < 0.5
    assert measured(Darkness(**Darkness.presets["torchcam"]), seen)[""] == theirs


def test_a_wrong_convention_is_refused():
    with pytest.raises(ConfigurationError, match="epsilon and epsilons must be 0 or more"):
        Darkness(epsilons=(1e-8, -1.0))
    with pytest.raises(ConfigurationError, match="below must be between 0 and 1"):
        Darkness(below=1.0)
