from __future__ import annotations

from rsi_gradcam.controls.activation import Activation
from tests.agreement import agree
from tests.controls.views import view


def test_it_is_the_sum_over_channels_as_loops():
    A = view().activations
    expected = [[sum(float(A[k, y, x]) for k in range(5)) for x in range(6)] for y in range(4)]
    agree(Activation().map(view()), expected, 1e-6)
