from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.statistics.bins import EDGES, in_bins
from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap
from rsi_gradcam.statistics.proportion import wilson

P = np.array([0.05, 0.1, 0.95, 0.91, 1.0, 0.99995, 0.15, np.nan])
VALUES = np.array([[1.0], [2.0], [3.0], [5.0], [7.0], [9.0], [4.0], [8.0]])


def test_each_photo_lies_in_one_bin_as_loops():
    (found,) = in_bins(P, VALUES)
    for number, each in enumerate(found):
        last = number == len(EDGES) - 2
        own = [i for i, p in enumerate(P) if each.low <= p and (p < each.high or (last and p == each.high))]
        assert each.photos == len(own)
        if own:
            assert each.mean == pytest.approx(np.mean(VALUES[own]))
            assert each.probability == pytest.approx(np.mean(P[own]))
    assert sum(each.photos for each in found) == 7


def test_an_empty_bin_has_no_mean_and_no_interval():
    (found,) = in_bins(P, VALUES)
    empty = next(each for each in found if each.low == 0.4)
    assert empty.photos == 0
    assert np.isnan(empty.mean)
    assert not empty.interval.exists


def test_the_interval_is_that_of_the_bins_photos():
    generator = np.random.default_rng(0)
    p, values = generator.uniform(size=200), generator.normal(size=(200, 2))
    found = in_bins(p, values, edges=(0, 0.5, 1), how=Resampling(300))
    expected = bootstrap(values[p < 0.5], how=Resampling(300)).intervals()
    np.testing.assert_allclose([column[0].interval for column in found], expected, rtol=1e-9)


def test_a_share_gets_wilsons_interval():
    p = np.full(40, 0.55)
    (found,) = in_bins(p, np.zeros((40, 1)))
    assert next(each for each in found if each.photos).interval == wilson(0.0, 40)


def test_pictures_stay_together():
    generator = np.random.default_rng(0)
    pictures = np.repeat(np.arange(20), 5)
    values = np.repeat(generator.normal(size=20), 5)[:, None]
    p = np.full(100, 0.5)
    (together,), (apart,) = in_bins(p, values, pictures), in_bins(p, values)
    one, other = (next(each for each in found if each.photos).interval for found in (together, apart))
    assert one.high - one.low > 1.5 * (other.high - other.low)
