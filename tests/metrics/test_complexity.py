from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics import Complexity
from rsi_gradcam.metrics.complexity import entropy
from tests.metrics.boxed import draw_map, look, maps, measured
from tests.oracles import range_of_maps as oracle


@given(maps)
def test_it_is_the_loop_over_pixels(heatmap):
    assert entropy(heatmap) == pytest.approx(oracle.entropy(heatmap.tolist()))


def test_by_hand():
    """One half, a quarter and a quarter are 1.5 bits, of the 2 that four pixels have."""
    assert measured(Complexity(), look(torch.tensor([[0.8, 0.4], [0.0, 0.4]])))[""] == pytest.approx(0.75)


def test_one_pixel_is_the_simplest_map_and_all_alike_the_most_complex():
    one = torch.zeros(8, 8)
    one[3, 4] = 1.0
    assert measured(Complexity(), look(one))[""] == 0.0
    assert measured(Complexity(), look(torch.ones(8, 8)))[""] == pytest.approx(1.0)


@given(maps)
def test_neither_scale_nor_place_matters_and_the_square_is_simpler(heatmap):
    assert entropy(heatmap * 1e-6) == pytest.approx(entropy(heatmap), rel=1e-5)
    assert entropy(heatmap.T.flip(0)) == pytest.approx(entropy(heatmap))
    assert entropy(heatmap.double() ** 2) <= entropy(heatmap) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_the_quantus_preset_times_the_logarithm_of_the_pixels_is_what_quantus_gives(seed):
    quantus = pytest.importorskip("quantus")
    raw = draw_map(seed) + 0.5
    theirs = quantus.Complexity(disable_warnings=True)(
        None, np.zeros((1, 1, 8, 8)), None, a_batch=raw[None, None].double().numpy()
    )
    ours = measured(Complexity(**Complexity.presets["quantus"]), look(raw - 0.5, raw=raw))[""]
    assert ours * math.log(64) == pytest.approx(theirs[0], rel=1e-6)


def test_a_map_of_zeros_is_as_complex_as_one_alike_everywhere():
    assert entropy(torch.zeros(8, 8)) == math.log(64)


def test_a_wrong_convention_is_refused():
    with pytest.raises(ConfigurationError, match="light 'dark' is not known"):
        Complexity(light="dark")
