from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rsi_gradcam.statistics.rolling import rolling, window_of


def measured(photos=300, seed=0):
    generator = np.random.default_rng(seed)
    return generator.uniform(size=photos) ** 0.2, generator.normal(size=photos)


def test_it_is_pandas_rolling_mean():
    p, values = measured()
    sorted_rows = pd.DataFrame({"p": p, "v": values}).sort_values("p", kind="stable")
    expected = sorted_rows.rolling(40).mean().dropna()
    found = rolling(p, values, 40)
    np.testing.assert_allclose(found.probability, expected["p"], rtol=1e-9)
    np.testing.assert_allclose(found.mean, expected["v"], rtol=1e-9, atol=1e-12)


def test_the_window_is_the_papers_or_a_tenth():
    assert window_of(12_525) == 1000
    assert window_of(5000) == 1000
    assert window_of(4999) == 499
    assert window_of(3) == 1
    assert rolling(*measured()).window == 30


def test_a_window_of_all_photos_is_the_mean():
    p, values = measured()
    found = rolling(p, values, 300)
    assert found.mean == pytest.approx([values.mean()])
    assert found.probability == pytest.approx([p.mean()])


def test_fewer_points_are_some_of_them_with_both_ends():
    p, values = measured()
    every, some = rolling(p, values, 40), rolling(p, values, 40, points=50)
    assert len(some.mean) == 50
    assert set(some.mean) <= set(every.mean)
    assert (some.mean[0], some.mean[-1]) == (every.mean[0], every.mean[-1])


def test_photos_without_a_number_are_left_out():
    p, values = measured()
    gaps = values.copy()
    gaps[::7] = np.nan
    kept = ~np.isnan(gaps)
    np.testing.assert_array_equal(rolling(p, gaps, 20).mean, rolling(p[kept], values[kept], 20).mean)


def test_tiny_values_beside_large_ones_are_not_lost():
    p = np.linspace(0, 1, 200)
    values = np.where(p < 0.5, 1.0, 1e-25)
    assert rolling(p, values, 50).mean[-1] == pytest.approx(1e-25, rel=1e-12)


def test_the_order_of_the_photos_is_no_matter():
    p, values = measured()
    turned = np.random.default_rng(1).permutation(300)
    np.testing.assert_array_equal(rolling(p, values).mean, rolling(p[turned], values[turned]).mean)


def test_fewer_photos_than_the_window_give_no_point():
    assert len(rolling(*measured(5), 10).mean) == 0
    assert len(rolling(np.array([]), np.array([])).mean) == 0
