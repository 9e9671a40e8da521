from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.metrics import DynamicRange
from rsi_gradcam.metrics.dynamic_range import dynamic_range, zero_share
from tests.metrics.boxed import draw_map, look, maps, measured
from tests.oracles import range_of_maps as oracle


@given(maps)
def test_it_is_the_loop_over_pixels(raw):
    assert dynamic_range(raw) == pytest.approx(oracle.decades(raw.tolist()), abs=1e-9)
    assert zero_share(raw) == sum(value == 0 for row in raw.tolist() for value in row) / 64


def test_by_hand():
    seen = look(torch.ones(2, 2), raw=torch.tensor([[0.0, 0.001], [1.0, 0.0]]))
    assert measured(DynamicRange(), seen) == pytest.approx({"": 3.0, "zero": 0.0, "zero_share": 0.5})


@given(st.integers(0, 1000), st.integers(-30, 30))
def test_the_maps_scale_is_no_matter(seed, power):
    raw = draw_map(seed) + 0.01
    here, there = (measured(DynamicRange(), look(torch.ones(8, 8), raw=each)) for each in (raw, raw * 2.0**power))
    assert here == pytest.approx(there)


def test_a_map_that_underflowed_is_exactly_zero_and_a_faint_one_is_not():
    faint, gone = torch.full((2, 2), 1e-30), torch.full((2, 2), 1e-30) * 1e-30
    assert measured(DynamicRange(), look(torch.zeros(2, 2), raw=faint))["zero"] == 0.0
    assert measured(DynamicRange(), look(torch.zeros(2, 2), raw=gone)) == DynamicRange().worst()


def test_what_is_not_shown_is_zero():
    seen = look(torch.ones(1, 2), raw=torch.tensor([[-1.0, 2.0]]))
    assert measured(DynamicRange(), seen)["zero_share"] == 0.5
