from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
import torch

from rsi_gradcam.metrics.correlation import pearson, ranks, spearman
from tests.oracles import correlation as oracle


def maps(seed, ties=False):
    generator = torch.Generator().manual_seed(seed)
    a, b = torch.rand(2, 6, 7, generator=generator, dtype=torch.float64)
    b = a + b
    return ((5 * a).round(), (3 * b).round()) if ties else (a, b)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_they_are_the_sums_as_loops_and_scipys(seed, ties):
    a, b = maps(seed, ties)
    flat = a.flatten().tolist(), b.flatten().tolist()
    assert pearson(a, b) == pytest.approx(oracle.pearson(*flat), 1e-10)
    assert spearman(a, b) == pytest.approx(oracle.spearman(*flat), 1e-10)
    assert spearman(a, b) == pytest.approx(scipy.stats.spearmanr(*flat)[0], 1e-10)
    assert ranks(a).flatten().tolist() == scipy.stats.rankdata(np.array(flat[0])).tolist()


def test_by_hand():
    assert ranks(torch.tensor([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1, 3.5, 2]
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert spearman(a, torch.tensor([[1.0, 3.0], [2.0, 4.0]])) == pytest.approx(1 - 6 * 2 / (4 * 15))
    assert pearson(a, -2 * a + 5) == pytest.approx(-1)


@pytest.mark.parametrize("scale", [1e-310, 1e-150, 1e150, 1e300])
def test_the_scale_is_no_matter(scale):
    a, b = maps(0)
    assert pearson(scale * a, b) == pytest.approx(pearson(a, b), 1e-9)
    assert spearman(a**3, scale * b) == pytest.approx(spearman(a, b), 1e-9)


def test_with_a_map_of_one_value_there_is_none():
    a, _ = maps(0)
    for flat in (torch.zeros_like(a), torch.full_like(a, 0.1)):
        assert pearson(a, flat) == spearman(flat, a) == 0


@pytest.mark.parametrize("value", [0.0, 0.1, 1.0])
def test_two_maps_of_the_same_one_value_are_alike(value):
    flat = torch.full((6, 7), value)
    assert pearson(flat, flat) == spearman(flat, flat) == pearson(flat, 2 * flat) == 1
    assert pearson(flat, flat + 1) == float(value > 0)
