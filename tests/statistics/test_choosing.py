from __future__ import annotations

import numpy as np

from rsi_gradcam.statistics.choosing import choosing

NAMES = [f"photo{number}.jpg" for number in range(2000)]


def test_a_photo_is_on_the_same_side_whichever_others_are_there():
    sides = dict(zip(NAMES, choosing(NAMES), strict=True))
    turned = NAMES[::-3]
    assert choosing(turned).tolist() == [sides[name] for name in turned]


def test_about_the_share_that_was_asked_for_chooses():
    assert abs(choosing(NAMES).mean() - 0.5) < 0.04
    assert abs(choosing(NAMES, 0.2).mean() - 0.2) < 0.04


def test_another_seed_is_another_split():
    assert 0.4 < np.mean(choosing(NAMES) == choosing(NAMES, seed=1)) < 0.6
