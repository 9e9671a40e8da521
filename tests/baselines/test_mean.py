from __future__ import annotations

from rsi_gradcam import Mean
from tests.networks import images, network


def test_each_image_has_its_own_mean_colour_everywhere():
    x = images(2)
    found = Mean().images(x, network("plain"))
    assert found.shape == x.shape
    for row in (0, 1):
        for channel in range(3):
            expected = sum(value for line in x[row, channel].tolist() for value in line) / 256
            assert (found[row, channel] - expected).abs().max() < 1e-14
