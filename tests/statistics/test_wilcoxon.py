from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from rsi_gradcam.statistics.wilcoxon import exact, signed_ranks, two_sided


def ranked(differences):
    """W⁺ and W⁻ as loops: a rank is how many are smaller, and half of those that are equal."""
    kept = [d for d in differences if not np.isnan(d) and d != 0]
    sums = {True: 0.0, False: 0.0}
    for d in kept:
        smaller = sum(abs(other) < abs(d) for other in kept)
        equal = sum(abs(other) == abs(d) for other in kept)
        sums[d > 0] += smaller + (equal + 1) / 2
    return len(kept), sums[True], sums[False]


def samples():
    generator = np.random.default_rng(0)
    yield generator.normal(0.3, 1, 12)
    yield generator.normal(0.1, 1, 49)
    yield generator.normal(0.1, 1, 400)
    yield generator.integers(-4, 6, 80).astype(float)
    yield generator.choice([-1.0, 0.0, 1.0], 300)
    yield np.array([0.5, np.nan, -0.25, 0.0, 2.0])


@pytest.mark.parametrize("differences", list(samples()))
def test_ranks_are_those_of_loops(differences):
    assert signed_ranks(differences)[:3] == pytest.approx(ranked(differences))


@pytest.mark.parametrize("number", range(5))
def test_p_is_scipys(number):
    differences = list(samples())[number]
    method = "exact" if number < 2 else "asymptotic"
    expected = scipy.stats.wilcoxon(differences, method=method).pvalue
    assert two_sided(signed_ranks(differences)) == pytest.approx(expected, rel=1e-9)


def test_the_exact_chance_is_that_of_all_choices_of_signs():
    n = 6
    for smaller in range(n * (n + 1) // 2 + 1):
        sums = [sum(rank for rank, sign in enumerate(signs, 1) if sign) for signs in product((0, 1), repeat=n)]
        assert exact(n, smaller) == pytest.approx(min(1, 2 * sum(total <= smaller for total in sums) / 2**n))


def test_by_hand_three_differences_all_above_0():
    ranks = signed_ranks(np.array([0.1, 0.3, 0.2]))
    assert ranks == (3, 6.0, 0.0, 0.0)
    assert two_sided(ranks) == 0.25


def test_ties_are_counted():
    assert signed_ranks(np.array([1.0, -1, 2, 2, 2])).ties == (8 - 2) + (27 - 3)


def test_where_nothing_differs_there_is_no_evidence():
    assert two_sided(signed_ranks(np.zeros(5))) == 1
    assert two_sided(signed_ranks(np.array([]))) == 1


def test_the_size_of_the_numbers_is_no_matter():
    differences = next(samples())
    assert signed_ranks(differences) == signed_ranks(1e-200 * differences)
