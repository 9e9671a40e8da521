from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from rsi_gradcam.statistics import bootstrap as module
from rsi_gradcam.statistics.bootstrap import Resampling, alike, bootstrap


def coverage(draw, pictures=None, trials=300, **how):
    """How often the interval of a sample holds the true mean, 0."""
    held = 0
    for trial in range(trials):
        values = draw(np.random.default_rng(trial))
        (interval,) = bootstrap(values[:, None], pictures, Resampling(400, trial + 1000, **how)).intervals()
        held += interval.holds(0.0)
    return held / trials


@pytest.mark.parametrize("kind", ["normal", "skewed", "few"])
def test_intervals_are_scipys_within_the_noise_of_drawing(kind):
    generator = np.random.default_rng(3)
    values = {
        "normal": generator.normal(2, 1, 80),
        "skewed": generator.exponential(1, 60),
        "few": generator.normal(0, 5, 9),
    }[kind]
    (found,) = bootstrap(values[:, None], how=Resampling(20_000, 1)).intervals()
    expected = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(2)
    ).confidence_interval
    width = expected.high - expected.low
    assert abs(found.low - expected.low) < 0.03 * width
    assert abs(found.high - expected.high) < 0.03 * width


def test_a_resample_is_the_mean_of_what_was_drawn_as_loops():
    values = np.random.default_rng(0).normal(size=(7, 2))
    values[3, 1] = np.nan
    how = Resampling(5, 9)
    found = bootstrap(values, how=how)
    (weights,) = how.weights(7)
    for resample in range(5):
        for column in range(2):
            drawn = [
                values[row, column]
                for row in range(7)
                for _ in range(int(weights[resample, row]))
                if not np.isnan(values[row, column])
            ]
            assert found.draws[resample, column] == pytest.approx(sum(drawn) / len(drawn), rel=1e-12)


def test_every_resample_draws_as_many_as_there_are():
    for weights in Resampling(50).weights(13):
        assert (weights.sum(1) == 13).all()


def test_the_draws_do_not_hang_on_how_much_is_in_memory_at_once(monkeypatch):
    values = np.random.default_rng(0).normal(size=(20, 1))
    whole = bootstrap(values, how=Resampling(30)).draws
    monkeypatch.setattr(module, "BLOCK", 140)
    np.testing.assert_allclose(bootstrap(values, how=Resampling(30)).draws, whole, rtol=1e-12)


def test_a_column_gets_the_same_draws_beside_whichever_others():
    values = np.random.default_rng(0).normal(size=(20, 3))
    together, alone = bootstrap(values).draws[:, 1], bootstrap(values[:, [1]]).draws[:, 0]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_a_shift_moves_the_interval_and_a_factor_stretches_it():
    values = np.random.default_rng(0).exponential(size=(40, 1))
    (plain,), (moved,) = bootstrap(values).intervals(), bootstrap(5 + 3 * values).intervals()
    np.testing.assert_allclose(moved, 5 + 3 * np.array(plain), rtol=1e-9)


def test_tiny_numbers_beside_a_large_mean_keep_their_interval():
    values = np.random.default_rng(0).normal(size=(40, 1))
    (plain,), (moved,) = bootstrap(values).intervals(), bootstrap(1e6 + 1e-3 * values).intervals()
    np.testing.assert_allclose(np.array(moved) - 1e6, 1e-3 * np.array(plain), rtol=1e-5)


def test_95_percent_intervals_hold_the_truth_about_95_times_of_100():
    assert 0.92 <= coverage(lambda generator: generator.normal(size=60)) <= 0.98
    assert 0.90 <= coverage(lambda generator: generator.exponential(size=60) - 1) <= 0.98


def test_rows_of_one_picture_are_drawn_together():
    pictures = np.repeat(np.arange(30), 4)

    def draw(generator):
        return np.repeat(generator.normal(size=30), 4) + 0.1 * generator.normal(size=120)

    assert 0.90 <= coverage(draw, pictures) <= 0.98
    assert coverage(draw) < 0.75  # as if 120 rows were 120 pictures


def test_a_single_photo_and_no_photo_have_no_interval():
    assert not bootstrap(np.ones((1, 1))).intervals()[0].exists
    assert not bootstrap(np.empty((0, 2))).intervals()[1].exists
    assert np.isnan(bootstrap(np.empty((0, 2))).means).all()


def test_a_column_with_hardly_a_number_has_no_interval():
    values = np.full((50, 2), np.nan)
    values[:, 0] = np.arange(50)
    values[7, 1] = 1.0
    first, second = bootstrap(values).intervals()
    assert first.exists
    assert not second.exists


def test_columns_that_are_alike_are_found():
    columns = np.array([[1.0, 0, 1], [1, 1, 1]])
    masks, which = alike(columns)
    assert masks.shape == (2, 2)
    np.testing.assert_array_equal(masks[:, which], columns)


def test_many_pictures_are_drawn_in_blocks_and_give_nearly_the_same_interval():
    values = np.random.default_rng(0).exponential(size=(6000, 1))
    (exact,) = bootstrap(values, how=Resampling(4000)).intervals()
    (blocks,) = bootstrap(values, how=Resampling(4000, most=1000)).intervals()
    np.testing.assert_allclose(blocks, exact, atol=0.1 * (exact.high - exact.low))
    assert bootstrap(values, how=Resampling(10, most=1000)).means == pytest.approx(values.mean())


def test_blocks_keep_a_picture_whole_and_are_of_even_size():
    pictures = np.repeat(np.arange(500), 3)
    units = Resampling(most=100).units(1500, pictures)
    assert all(len(set(units[pictures == picture])) == 1 for picture in range(500))
    assert set(np.bincount(units)) == {15}
    assert Resampling(most=500).units(1500, pictures) is pictures


def test_intervals_of_blocks_hold_the_truth_as_often():
    assert 0.92 <= coverage(lambda generator: generator.normal(size=400), most=100) <= 0.98
