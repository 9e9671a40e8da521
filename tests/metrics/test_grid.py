from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.grid import above, best_elsewhere, thresholds


def test_thresholds_lie_between_0_and_1_or_reach_them():
    assert thresholds(0.2) == (0.2, 0.4, 0.6, 0.8)
    assert thresholds(0.5, ends=True) == (0.0, 0.5, 1.0)


@pytest.mark.parametrize("step", [0.0, -0.1, 0.3, 0.7, 1.0, math.nan])
def test_a_step_that_does_not_go_into_1_is_refused(step):
    with pytest.raises(ConfigurationError, match="step must go into 1"):
        thresholds(step)


def test_above_counts_by_hand():
    values = torch.tensor([0.0, 0.25, 0.5, 0.5, 1.0])
    assert above(values, (0.0, 0.25, 0.5, 1.0)).tolist() == [4, 3, 1, 0]
    assert above(values, (0.0, 0.25, 0.5, 1.0), ">=").tolist() == [5, 4, 3, 1]


def test_the_best_point_is_the_first_of_equals():
    curves = np.array([[0.1, 0.5, 0.5], [0.2, 0.3, 0.4]])
    assert best_elsewhere(curves, np.array([True, False])) == (1, 0.3)
