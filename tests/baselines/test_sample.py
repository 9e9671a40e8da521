from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Sample, explain
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import images, network

DATA = images(6, seed=8)


def test_it_draws_images_of_the_data_none_twice():
    drawn = [part.images(images(1), network("plain")) for part in Sample(DATA, count=6).parts()]
    found = sorted(next(i for i in range(6) if torch.equal(DATA[i], each[0])) for each in drawn)
    assert found == list(range(6))


def test_a_seed_draws_the_same_again():
    one, other, third = (Sample(DATA, 3, seed).parts() for seed in (1, 1, 2))
    assert all(torch.equal(a.tensor, b.tensor) for a, b in zip(one, other, strict=True))
    assert not all(torch.equal(a.tensor, b.tensor) for a, b in zip(one, third, strict=True))


def test_over_all_of_the_data_it_is_the_mean_of_the_maps_from_each_image():
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "rsi_hires_cam", 1, Sample(DATA, count=6), steps=3)
    alone = [explain(model, x, "features.5", "rsi_hires_cam", 1, start, steps=3).signed for start in DATA]
    agree(found.signed, torch.stack(alone).mean(0), 1e-12)


@pytest.mark.parametrize(("data", "count"), [(DATA, 7), (DATA, 0), (DATA[0], 1)])
def test_data_that_does_not_suffice_is_refused(data, count):
    with pytest.raises(BaselineError, match="got shape"):
        Sample(data, count)
