from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam import is_dark, normalise, upsample
from rsi_gradcam.heatmap import safe_divide, spread
from tests.agreement import agree
from tests.oracles.pixels import bilinear, normalised


def test_four_values_by_hand():
    L = torch.tensor([[[1.0, 2.0], [3.0, 5.0]]])
    assert normalise(L).tolist() == [[[0.0, 0.25], [0.5, 1.0]]]
    assert normalise(L, epsilon=4.0).tolist() == [[[0.0, 0.125], [0.25, 0.5]]]
    assert spread(L).tolist() == [4.0]


@given(scale=st.integers(-30, 30), seed=st.integers(0, 99), epsilon=st.sampled_from([0.0, 1e-8, 0.5]))
def test_it_is_the_formula_as_loops(scale, seed, epsilon):
    L = 2.0**scale * torch.randn(2, 3, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    for row in (0, 1):
        agree(normalise(L, epsilon)[row], normalised(L[row].tolist(), epsilon), 1e-12)


@given(scale=st.integers(-120, 100), shift=st.integers(-8, 8))
def test_without_epsilon_scale_and_shift_are_no_matter(scale, shift):
    L = torch.tensor([[[0.0, 1.0], [3.0, 8.0]]])
    assert torch.equal(normalise(2.0**scale * L), L / 8)
    assert torch.equal(normalise(L + shift), L / 8)


def test_each_map_of_a_batch_is_normalised_for_itself():
    L = torch.rand(3, 4, 4) * torch.tensor([1.0, 1e-6, 1e6]).view(3, 1, 1)
    together = normalise(L)
    assert all(torch.equal(together[row], normalise(L[row : row + 1])[0]) for row in range(3))
    assert together.amax((1, 2)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("value", [0.0, 3.0, -2.0])
@pytest.mark.parametrize("epsilon", [0.0, 1e-8])
def test_a_constant_map_is_dark_everywhere_and_never_nan(value, epsilon):
    L = torch.full((1, 3, 3), value)
    assert normalise(L, epsilon).tolist() == torch.zeros(1, 3, 3).tolist()
    assert is_dark(L, epsilon).tolist() == [True]


@pytest.mark.parametrize(("size", "dark"), [(0.9e-8, True), (1.1e-8, False), (0.0, True), (1.0, False)])
def test_a_dark_map_is_one_that_stays_below_one_half_with_the_papers_epsilon(size, dark):
    L = torch.tensor([[[5 * size, 6 * size]]], dtype=torch.float64)
    assert is_dark(L).item() is dark
    assert (normalise(L, 1e-8).max().item() < 0.5) is dark


@given(size=st.floats(1e-12, 1e-4), epsilon=st.sampled_from([1e-8, 1e-6, 1e-10]))
def test_darkness_is_what_the_paper_defines(size, epsilon):
    L = torch.tensor([[[0.0, size]]], dtype=torch.float64)
    assert is_dark(L, epsilon).item() is (size / (size + epsilon) < 0.5)


def test_without_epsilon_only_a_map_without_range_is_dark():
    assert is_dark(torch.tensor([[[0.0, 1e-40]]]), 0.0).tolist() == [False]
    assert is_dark(torch.tensor([[[1.0, 1.0]]]), 0.0).tolist() == [True]


@pytest.mark.parametrize("size", [(16, 16), (7, 11), (5, 3), (1, 1)])
def test_upsampling_is_bilinear_between_the_centres_of_pixels(size):
    heatmap = torch.rand(2, 4, 3, dtype=torch.float64)
    found = upsample(heatmap, size)
    assert found.shape == (2, *size)
    for row in (0, 1):
        agree(found[row], bilinear(heatmap[row].tolist(), *size), 1e-12)


def test_upsampling_two_pixels_by_hand():
    assert upsample(torch.tensor([[[0.0, 1.0]]]), (1, 4)).tolist() == [[[0.0, 0.25, 0.75, 1.0]]]


def test_upsampling_to_the_same_size_changes_nothing():
    heatmap = torch.rand(2, 4, 3)
    assert torch.equal(upsample(heatmap, (4, 3)), heatmap)


def test_dividing_by_zero_gives_zero_and_no_other_division_is_touched():
    found = safe_divide(torch.tensor([1.0, 0.0, 3.0]), torch.tensor([0.0, 0.0, 2.0]))
    assert found.tolist() == [0.0, 0.0, 1.5]
