from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.statistics.rank_biserial import rank_biserial
from rsi_gradcam.statistics.wilcoxon import signed_ranks


def effect(differences):
    """By its definition: the share of the rank sum that favours, less the share that does not."""
    kept = sorted((d for d in differences if d != 0), key=abs)
    favour = sum(rank for rank, d in enumerate(kept, 1) if d > 0)
    against = sum(rank for rank, d in enumerate(kept, 1) if d < 0)
    return favour / (favour + against) - against / (favour + against)


@pytest.mark.parametrize("shift", [-2.0, 0.0, 0.3])
def test_it_is_its_definition_as_loops(shift):
    differences = np.random.default_rng(0).normal(shift, 1, 40)
    assert rank_biserial(signed_ranks(differences)) == pytest.approx(effect(differences), rel=1e-12)


def test_it_is_1_where_all_are_above_and_minus_1_where_all_are_below():
    assert rank_biserial(signed_ranks(np.array([1.0, 2.0]))) == 1
    assert rank_biserial(signed_ranks(np.array([-1.0, -2.0]))) == -1


def test_it_is_0_where_they_balance_or_nothing_differs():
    assert rank_biserial(signed_ranks(np.array([1.0, -1.0, 0.0]))) == 0
    assert rank_biserial(signed_ranks(np.zeros(3))) == 0
