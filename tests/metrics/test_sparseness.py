from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics import Sparseness
from rsi_gradcam.metrics.sparseness import gini
from tests.metrics.boxed import draw_map, look, maps, measured
from tests.oracles import range_of_maps as oracle


@given(maps)
def test_it_is_half_the_relative_mean_difference_of_two_pixels(heatmap):
    assert gini(heatmap) == pytest.approx(oracle.gini(heatmap.tolist()))


def test_by_hand():
    """Of 0, 0, 1, 3: (−3·0 − 1·0 + 1·1 + 3·3) / (4 · 4)."""
    assert gini(torch.tensor([[3.0, 0.0], [0.0, -1.0]])) == pytest.approx(10 / 16)


def test_one_pixel_with_all_the_light_is_the_sparsest_and_all_alike_the_least():
    one = torch.zeros(8, 8)
    one[3, 4] = 7.0
    assert gini(one) == pytest.approx(63 / 64)
    assert gini(torch.ones(8, 8)) == pytest.approx(0.0)


@given(maps)
def test_neither_scale_nor_place_matters_and_the_square_is_sparser(heatmap):
    assert gini(heatmap * 1e-6) == pytest.approx(gini(heatmap), rel=1e-5)
    assert gini(heatmap.T.flip(0)) == pytest.approx(gini(heatmap))
    assert gini(heatmap.double() ** 2) >= gini(heatmap) - 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_the_quantus_preset_gives_what_quantus_gives(seed):
    quantus = pytest.importorskip("quantus")
    raw = draw_map(seed) - 0.3
    theirs = quantus.Sparseness(disable_warnings=True)(
        None, np.zeros((1, 1, 8, 8)), None, a_batch=raw[None, None].double().numpy()
    )
    seen = look((raw + 0.3).clamp(0, 1), raw=raw)
    assert measured(Sparseness(**Sparseness.presets["quantus"]), seen)[""] == pytest.approx(theirs[0], rel=1e-6)
    assert measured(Sparseness(), seen)[""] == pytest.approx(oracle.gini((raw + 0.3).tolist()))


def test_a_wrong_convention_is_refused():
    with pytest.raises(ConfigurationError, match="light 'dark' is not known"):
        Sparseness(light="dark")
    with pytest.raises(ConfigurationError, match="epsilon must be 0 or more"):
        Sparseness(epsilon=-1e-7)
