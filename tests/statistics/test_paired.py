from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap
from rsi_gradcam.statistics.paired import paired


def columns(seed=0, photos=60, shift=0.2):
    generator = np.random.default_rng(seed)
    photo = generator.normal(0, 3, photos)  # what both columns share is no part of their difference
    return np.stack([photo + generator.normal(shift, 1, photos), photo + generator.normal(0, 1, photos)], 1)


def test_it_is_the_bootstrap_of_the_differences():
    values, how = columns(), Resampling(500, 4)
    (found,) = paired(values, [(0, 1)], how=how)
    alone = bootstrap((values[:, 0] - values[:, 1])[:, None], how=how)
    assert found.difference == pytest.approx(alone.means[0], rel=1e-12)
    np.testing.assert_allclose(found.interval, alone.intervals()[0], rtol=1e-9)


def test_the_test_is_scipys():
    values = columns()
    (found,) = paired(values, [(0, 1)])
    assert found.p == pytest.approx(scipy.stats.wilcoxon(values[:, 0], values[:, 1]).pvalue, rel=1e-9)


def test_photos_without_a_number_in_either_column_are_left_out():
    values = columns()
    gaps = values.copy()
    gaps[3, 0] = gaps[11, 1] = np.nan
    kept = np.delete(values, [3, 11], 0)
    (found,), (expected,) = paired(gaps, [(0, 1)]), paired(kept, [(0, 1)])
    assert found.photos == 58
    assert found.difference == pytest.approx(expected.difference, rel=1e-12)
    assert (found.p, found.effect) == (expected.p, expected.effect)
    np.testing.assert_allclose(found.interval, expected.interval, atol=0.06)


def test_a_constant_shift_of_one_column_shifts_the_difference_and_its_interval():
    values = columns()
    (before,) = paired(values, [(0, 1)])
    (after,) = paired(values + np.array([0.7, 0.0]), [(0, 1)])
    assert after.difference == pytest.approx(before.difference + 0.7)
    np.testing.assert_allclose(after.interval, np.array(before.interval) + 0.7, rtol=1e-9)


def test_turned_round_everything_changes_its_sign_but_p():
    (one,) = paired(columns(), [(0, 1)])
    (other,) = paired(columns(), [(1, 0)])
    assert other.difference == -one.difference
    assert other.effect == pytest.approx(-one.effect)
    assert other.p == one.p


def test_a_column_beside_itself_does_not_differ():
    values = columns()[:, [0, 0]]
    (found,) = paired(values, [(0, 1)])
    assert found == (60, 0.0, (0.0, 0.0), 1.0, 0.0)


def test_data_without_any_difference_give_p_below_5_percent_in_5_of_100():
    low = [paired(columns(seed, 40, 0.0), [(0, 1)], how=Resampling(2))[0].p < 0.05 for seed in range(1000)]
    assert 0.035 <= np.mean(low) <= 0.065


def test_copies_of_a_picture_are_no_evidence():
    values = columns(photos=30)
    pictures = np.repeat(np.arange(30), 5)
    (once,) = paired(values, [(0, 1)])
    (copied,) = paired(np.repeat(values, 5, 0), [(0, 1)], pictures)
    assert copied.photos == 150
    assert copied.p == pytest.approx(once.p)
    np.testing.assert_allclose(copied.interval, once.interval, rtol=1e-9)
    (credulous,) = paired(np.repeat(values, 5, 0), [(0, 1)])
    assert credulous.p < once.p
