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


@pytest.mark.parametrize("values", [(-1, 1), (-1, 0, 1), (-2, -1, 0, 1, 2, 3), (-0.5, 0.25, 1)])
@pytest.mark.parametrize("n", [4, 9, 12])
def test_with_ties_and_zeros_it_is_scipys_count_of_all_signs(values, n):
    everything = scipy.stats.PermutationMethod(n_resamples=2**n)
    for seed in range(3):
        differences = np.random.default_rng(seed).choice(values, n).astype(float)
        if np.count_nonzero(differences) > 1:
            expected = scipy.stats.wilcoxon(differences[differences != 0], method=everything).pvalue
            assert two_sided(signed_ranks(differences)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [1, 5, 20, 50])
def test_equal_differences_of_one_sign_are_a_sign_test(n):
    assert two_sided(signed_ranks(np.ones(n))) == pytest.approx(2 / 2**n)
    assert two_sided(signed_ranks(np.append(-np.ones(n), np.zeros(90)))) == pytest.approx(2 / 2**n)


def test_where_counting_ends_the_normal_distribution_goes_on():
    differences = np.random.default_rng(3).choice([-1.0, 1.0, 2.0], 51)
    counted, estimated = (two_sided(signed_ranks(differences[:n])) for n in (50, 51))
    assert counted == pytest.approx(estimated, rel=0.3)


def test_the_exact_chance_is_that_of_all_choices_of_signs():
    for ranks in ((1, 2, 3, 4, 5, 6), (1.5, 1.5, 3, 5, 5, 5)):
        sums = [float(np.dot(ranks, signs)) for signs in product((0, 1), repeat=6)]
        for smaller in {total for total in sums if total <= 10.5}:
            assert exact(ranks, smaller) == pytest.approx(min(1, 2 * sum(total <= smaller for total in sums) / 2**6))


def test_by_hand_three_differences_all_above_0():
    ranks = signed_ranks(np.array([0.1, 0.3, 0.2]))
    assert ranks == (3, 6.0, 0.0, (1, 1, 1))
    assert two_sided(ranks) == 0.25


def test_ties_are_counted():
    ranks = signed_ranks(np.array([1.0, -1, 2, 2, 2]))
    assert ranks.ties == (8 - 2) + (27 - 3)
    assert ranks.ranks == [1.5, 1.5, 4, 4, 4]


def test_where_nothing_differs_there_is_no_evidence():
    assert two_sided(signed_ranks(np.zeros(5))) == 1
    assert two_sided(signed_ranks(np.array([]))) == 1


def test_the_size_of_the_numbers_is_no_matter():
    differences = next(samples())
    assert signed_ranks(differences) == signed_ranks(1e-200 * differences)
