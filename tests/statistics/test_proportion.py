from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from rsi_gradcam.statistics.proportion import is_share, wilson


@pytest.mark.parametrize(("hits", "count"), [(0, 10), (3, 10), (10, 10), (1, 400), (250, 400)])
def test_it_is_scipys(hits, count):
    expected = scipy.stats.binomtest(hits, count).proportion_ci(method="wilson")
    assert wilson(hits / count, count) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_its_ends_are_the_shares_that_are_just_not_contradicted():
    low, high = wilson(0.3, 50)
    for end in (low, high):
        assert abs(0.3 - end) / (end * (1 - end) / 50) ** 0.5 == pytest.approx(1.959964, rel=1e-6)


@pytest.mark.parametrize("count", [1, 3, 150, 12525])
def test_its_end_at_none_and_at_all_is_exact(count):
    assert wilson(0.0, count).low == 0.0
    assert wilson(1.0, count).high == 1.0


@pytest.mark.parametrize("share", [1e-9, 0.5, 1 - 1e-9])
def test_it_lies_within_0_and_1(share):
    low, high = wilson(share, 7)
    assert 0 <= low <= share <= high <= 1


def test_none_of_many_is_not_surely_none():
    assert wilson(0.0, 500).high > 0.005
    assert not wilson(0.0, 0).exists


def test_a_share_is_told_by_its_values():
    assert is_share(np.array([0.0, 1.0, np.nan]))
    assert not is_share(np.array([0.0, 0.5]))
    assert not is_share(np.array([np.nan]))


def test_a_column_that_is_0_by_chance_is_none_beside_one_that_is_not():
    assert not is_share(np.array([[0.0, 0.3], [0.0, 0.0]]))
