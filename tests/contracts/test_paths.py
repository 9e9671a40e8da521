"""What every path must satisfy. A new file in paths/ is covered by itself."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from rsi_gradcam import Curve, Points, Unblur, catalog, explain
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.state import unchanged

# Of those that need something: how to make one that ends at these images.
MADE = {
    "points": lambda x: Points(torch.stack([torch.zeros_like(x), 0.7 * x.flip(-1), x], 1)),
    "curve": lambda x: Curve(lambda alpha, row: alpha**2 * x[row]),
    "unblur": lambda x: Unblur(3.0),
}
each_path = pytest.mark.parametrize("name", catalog.paths())


def made(name, x):
    return MADE[name](x) if name in MADE else catalog.paths()[name]()


def at(name, x, alpha):
    return made(name, x).at(torch.full((len(x),), alpha).to(x), x, torch.zeros_like(x), torch.arange(len(x)))


@each_path
def test_it_says_in_a_line_what_it_is(name):
    kind = catalog.paths()[name]
    assert kind.summary
    assert len(kind.summary) < 100
    assert dataclasses.is_dataclass(kind)


@each_path
def test_it_ends_at_the_image(name):
    x = images(3)
    agree(at(name, x, 1.0), x, 1e-12)


@each_path
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_it_gives_images_of_the_same_shape_and_dtype(name, dtype):
    x = images(3, dtype=dtype)
    for alpha in (0.0, 0.3, 1.0):
        assert at(name, x, alpha).shape == x.shape
        assert at(name, x, alpha).dtype == dtype


@each_path
def test_it_has_no_jumps(name):
    x = images(1)
    steps = [(at(name, x, (step + 1) / 64) - at(name, x, step / 64)).abs().max() for step in range(64)]
    assert max(steps) < 0.35 * x.abs().max()


@each_path
def test_it_accepts_its_own_images_and_leaves_everything_as_it_was(name):
    model, x = network("smooth").train(), images(2)
    with unchanged(model):
        made(name, x).check(x)
        explain(model, x, "tanh1", "rsi_grad_cam", 1, zeros(), path=made(name, x), steps=3)


@each_path
@pytest.mark.parametrize("method", ["rsi_hires_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_along_it_the_map_adds_up_to_the_change_of_the_score(name, method):
    model, x = network("smooth"), images(2)
    found = explain(model, x, "tanh1", method, 1, zeros(), path=made(name, x), steps=400)
    start = at(name, x, 0.0)
    agree(found.baseline_score, model(start).softmax(1)[:, 1].detach(), 1e-10)
    change = (found.score - found.baseline_score).abs().max()
    assert (found.signed.sum((1, 2)) - (found.score - found.baseline_score)).abs().max() < 5e-3 * change


@each_path
@pytest.mark.parametrize("settings", [{"steps": 3}, {"tolerance": 0.05}], ids=["steps", "tolerance"])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_grad_cam", "integrated_gradients"])
def test_a_batch_gives_what_its_images_give_alone(name, method, settings):
    model, x = network("smooth"), images(3)
    together = explain(model, x, "tanh1", method, 1, zeros(), path=made(name, x), batch_size=2, **settings)
    for row in range(3):
        one = x[row : row + 1]
        alone = explain(model, one, "tanh1", method, 1, zeros(), path=made(name, one), **settings)
        agree(together.signed[row], alone.signed[0], 1e-10)
