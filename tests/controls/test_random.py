from __future__ import annotations

import torch

from rsi_gradcam.controls.random import Random
from tests.controls.views import view


def test_the_seed_is_all_that_it_hangs_on():
    assert torch.equal(Random().map(view(seed=3)), Random().map(view(20, 30, seed=3)))
    assert not torch.equal(Random().map(view(seed=3)), Random().map(view(seed=4)))


def test_it_has_the_layers_resolution_and_is_even():
    many = torch.stack([Random().map(view(seed=seed)) for seed in range(400)])
    assert many.shape[1:] == (4, 6)
    assert abs(many.mean() - 0.5) < 0.01
    assert abs(many.std() - 12**-0.5) < 0.01


def test_it_knows_nothing_of_the_box():
    drawn = torch.stack([Random().map(view(seed=seed)) for seed in range(400)]).mean(0)
    assert (drawn - 0.5).abs().max() < 0.06
