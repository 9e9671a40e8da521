from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.figures import one_relu_net
from tests.figures.test_comparison import within


def test_the_drawn_curve_is_flat_at_the_input_and_rises_by_one_from_the_baseline():
    figure = one_relu_net()
    curve = figure.axes[0].lines[0]
    x, y = (np.asarray(values) for values in curve.get_data())
    assert y == pytest.approx(np.minimum(x, 1))
    assert np.gradient(y, x)[np.abs(x - 2).argmin()] == 0
    assert y[np.abs(x - 2).argmin()] - y[0] == 1
    assert within(figure)
