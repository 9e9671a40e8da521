"""What every baseline must satisfy. A new file in baselines/ is covered by itself."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from rsi_gradcam import Averaged, Sample, Uncertain, catalog, explain
from rsi_gradcam.baselines import Blur, Given, Mean
from rsi_gradcam.baselines.base import PixelBaseline
from tests.agreement import agree
from tests.networks import images, network
from tests.state import unchanged

PHOTOS = {"mean": (0.5,) * 3, "std": (0.25,) * 3}
DATA = images(4, seed=8)
# Of those that need something, or take long.
MADE = {
    "given": Given(images(1, seed=7)[0]),
    "sample": Sample(DATA, 2),
    "averaged": Averaged((Mean(), Blur(2.0))),
    "blur": Blur(2.0),
    "uncertain": Uncertain(**PHOTOS, iterations=5),
}
each_baseline = pytest.mark.parametrize("name", catalog.baselines())


def made(name):
    kind = catalog.baselines()[name]
    return MADE.get(name) or (kind(**PHOTOS) if issubclass(kind, PixelBaseline) else kind())


def started(name, x):
    """The images where the paths begin, for each path."""
    return [part.images(x, network("smooth", dtype=x.dtype)) for part in made(name).parts()]


@each_baseline
def test_it_says_in_a_line_what_it_is(name):
    kind = catalog.baselines()[name]
    assert kind.summary
    assert len(kind.summary) < 100
    assert dataclasses.is_dataclass(kind)


@each_baseline
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_it_gives_one_image_for_all_or_one_for_each_in_their_dtype(name, dtype):
    x = images(3, dtype=dtype)
    for start in started(name, x):
        assert start.shape[1:] == x.shape[1:]
        assert len(start) in (1, 3)
        assert start.dtype == dtype
        assert torch.isfinite(start).all()
        assert not start.requires_grad


@each_baseline
def test_the_same_again_gives_the_same(name):
    x = images(2)
    for one, other in zip(started(name, x), started(name, x), strict=True):
        assert torch.equal(one, other)


@each_baseline
def test_what_an_image_starts_from_does_not_hang_on_the_others(name):
    x = images(3)
    for together, alone in zip(started(name, x), started(name, x[1:2]), strict=True):
        agree(together[1] if len(together) == 3 else together[0], alone[0], 1e-12)


@each_baseline
def test_it_draws_no_random_number_of_the_users_and_leaves_the_model_as_it_was(name):
    model, x = network("smooth").train(), images(2)
    with unchanged(model):
        for part in made(name).parts():
            part.images(x, model)


@each_baseline
def test_the_path_starts_there(name):
    model, x = network("smooth"), images(3)
    found = explain(model, x, "tanh1", "rsi_grad_cam", 1, made(name), steps=2)
    expected = torch.stack([model(start).softmax(1)[:, 1].expand(3) for start in started(name, x)]).mean(0)
    agree(found.baseline_score, expected.detach(), 1e-12)


@each_baseline
def test_from_there_the_map_adds_up_to_the_change_of_the_score(name):
    found = explain(network("smooth"), images(2), "tanh1", "rsi_hires_cam", 1, made(name), steps=300)
    change = (found.score - found.baseline_score).abs().max()
    assert (found.residual.abs() < 2e-3 * change.clamp(min=0.01)).all()


@each_baseline
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_a_batch_gives_what_its_images_give_alone(name, method):
    model, x = network("smooth"), images(3)
    together = explain(model, x, "tanh1", method, 1, made(name), steps=3, batch_size=2)
    for row in range(3):
        alone = explain(model, x[row : row + 1], "tanh1", method, 1, made(name), steps=3)
        agree(together.signed[row], alone.signed[0], 1e-10)
