from __future__ import annotations

import math

import numpy as np

from rsi_gradcam.statistics.interval import NONE, Interval, acceleration, bias_corrected, quantiles


def test_an_interval_holds_its_ends_and_what_is_between():
    assert Interval(-1.0, 2.0).holds(-1.0)
    assert Interval(-1.0, 2.0).holds(0.0)
    assert not Interval(0.5, 2.0).holds(0.0)


def test_one_that_does_not_exist_excludes_nothing():
    assert not NONE.exists
    assert NONE.holds(0.0)
    assert NONE.holds(1e9)


def test_quantiles_are_numpys():
    ordered = np.sort(np.random.default_rng(0).normal(size=(101, 3)), 0)
    shares = np.array([0.0, 0.031, 1.0])
    expected = [np.quantile(ordered[:, column], share) for column, share in enumerate(shares)]
    np.testing.assert_allclose(quantiles(ordered, shares), expected, rtol=1e-12)


def test_the_acceleration_is_its_formula_as_loops_and_has_no_scale():
    u = np.random.default_rng(1).exponential(size=(30, 2)) - 1
    for column in range(2):
        cubes = sum(value**3 for value in u[:, column])
        squares = sum(value**2 for value in u[:, column])
        assert math.isclose(acceleration(u)[column], cubes / (6 * squares**1.5), rel_tol=1e-12)
    np.testing.assert_allclose(acceleration(u * 1e-150), acceleration(u), rtol=1e-9)
    assert acceleration(np.zeros((4, 1)))[0] == 0


def test_without_bias_and_skewness_it_is_the_percentiles():
    draws = np.concatenate([np.arange(-500, 0), np.arange(1, 501)]).astype(float)[:, None]
    low, high = bias_corrected(np.zeros(1), draws, np.zeros(1))
    expected = np.quantile(draws, [0.025, 0.975], axis=0)
    np.testing.assert_allclose([low, high], expected, atol=1e-6)


def test_draws_that_are_all_the_same_give_that_value():
    low, high = bias_corrected(np.ones(1), np.ones((50, 1)), np.zeros(1))
    assert low[0] == high[0] == 1


def test_rounding_neither_breaks_ties_nor_moves_an_end_off_0():
    generator = np.random.default_rng(0)
    draws = generator.integers(-2, 3, (400, 1)) / 50.0
    draws[draws < 0] = 0.02
    noise = 1e-17 * generator.choice([-1.0, 1.0], draws.shape)
    mean = np.array([0.02])
    clean, noisy = bias_corrected(mean, draws, np.zeros(1)), bias_corrected(mean, draws + noise, np.zeros(1))
    np.testing.assert_allclose(noisy, clean, atol=1e-15)
    assert Interval(float(noisy[0][0]), float(noisy[1][0])).holds(0.0)
