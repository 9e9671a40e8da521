from __future__ import annotations

import torch

from rsi_gradcam import Noise
from tests.networks import images, network

NONE = {"mean": (0.0,) * 3, "std": (1.0,) * 3}


def test_it_is_even_over_all_colours():
    found = Noise(**NONE).images(images(1, size=64), network("plain"))
    assert 0 <= found.min() < 0.01
    assert 0.99 < found.max() <= 1
    assert abs(found.mean() - 0.5) < 0.02
    assert abs(found.var() - 1 / 12) < 0.005


def test_a_seed_gives_the_same_noise_again_and_another_seed_another():
    x, model = images(1), network("plain")
    assert torch.equal(Noise(**NONE, seed=3).images(x, model), Noise(**NONE, seed=3).images(x, model))
    assert not torch.equal(Noise(**NONE, seed=3).images(x, model), Noise(**NONE, seed=4).images(x, model))


def test_the_noise_does_not_hang_on_torchs_own_random_numbers_or_the_dtype():
    x, model = images(1), network("plain")
    torch.manual_seed(1)
    one = Noise(**NONE).images(x, model)
    torch.manual_seed(2)
    assert torch.equal(one, Noise(**NONE).images(x, model))
    assert torch.equal(one.float(), Noise(**NONE).images(x.float(), model))


def test_it_is_normalised_as_the_photos_are():
    found = Noise((0.5,) * 3, (0.25,) * 3).images(images(1), network("plain"))
    assert -2 <= found.min() < -1.9
    assert 1.9 < found.max() <= 2
