from __future__ import annotations

from dataclasses import replace

import torch

from rsi_gradcam.controls.edges import Edges
from tests.agreement import agree
from tests.controls.views import view


def sobel(pixels):
    """Sobel's differences as loops; beyond its rim the photo goes on as it ends."""
    _, height, width = pixels.shape
    grey = [
        [sum(part * float(pixels[c, y, x]) for c, part in enumerate((0.299, 0.587, 0.114))) for x in range(width)]
        for y in range(height)
    ]

    def at(y, x):
        return grey[min(max(y, 0), height - 1)][min(max(x, 0), width - 1)]

    def length(y, x):
        across = sum(weight * (at(y + d, x + 1) - at(y + d, x - 1)) for d, weight in ((-1, 1), (0, 2), (1, 1)))
        down = sum(weight * (at(y + 1, x + d) - at(y - 1, x + d)) for d, weight in ((-1, 1), (0, 2), (1, 1)))
        return (across**2 + down**2) ** 0.5

    return [[length(y, x) for x in range(width)] for y in range(height)]


def test_it_is_sobels_gradient_as_loops():
    seen = view()
    agree(Edges().map(seen), sobel(seen.pixels), 1e-5)


def test_a_step_by_hand_has_its_edge_where_the_brightness_changes():
    pixels = torch.zeros(3, 4, 6)
    pixels[:, :, 3:] = 1.0
    found = Edges().map(replace(view(), pixels=pixels))
    agree(found, [[0, 0, 4, 4, 0, 0]] * 4, 1e-6)


def test_a_plain_photo_has_no_edge_not_even_at_its_rim():
    found = Edges().map(replace(view(), pixels=torch.full((3, 8, 8), 0.4)))
    assert found.abs().max() < 1e-6
