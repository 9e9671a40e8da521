from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.statistics.holm import holm


def test_a_case_by_hand():
    # sorted 0.005 · 4, 0.01 · 3, 0.03 · 2, 0.04 · 1 but not below the one before
    found = holm(np.array([0.01, 0.04, 0.03, 0.005]))
    assert found == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_it_rejects_what_stepping_down_rejects():
    generator = np.random.default_rng(0)
    for _ in range(200):
        p = generator.uniform(size=8) ** 3
        rejected = set()
        for i, place in enumerate(sorted(range(8), key=lambda place: p[place])):
            if p[place] > 0.05 / (8 - i):
                break
            rejected.add(place)
        assert rejected == set(np.flatnonzero(holm(p) <= 0.05))


def test_one_comparison_stays_and_none_is_above_1():
    assert holm(np.array([0.03])).tolist() == [0.03]
    assert holm(np.array([0.6, 0.9])).tolist() == [1.0, 1.0]
    assert holm(np.array([])).tolist() == []
