from __future__ import annotations

import math

import pytest
import torch

from rsi_gradcam import Black, Uncertain, explain
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import Counting, images, network

PHOTOS = {"mean": (0.5,) * 3, "std": (0.25,) * 3}
QUICK = Uncertain(**PHOTOS, iterations=60, rate=0.02)


@pytest.fixture(autouse=True)
def _fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RSI_GRADCAM_CACHE", str(tmp_path))


def entropy(model, image):
    p = model(image).softmax(1)[0].tolist()
    return -sum(each * math.log(each) for each in p) / math.log(len(p))


def test_it_is_more_even_than_black_and_near_it():
    model, x = network("smooth", factor=4.0), images(1)
    black = Black(**PHOTOS).images(x, model)
    found = QUICK.find(x, model)
    assert found.evenness > 0.99 > entropy(model, black)
    assert found.evenness == pytest.approx(entropy(model, found.image), rel=1e-9)
    assert found.largest == pytest.approx(model(found.image).softmax(1).max().item(), rel=1e-9)
    assert found.classes == 5
    pixels = found.image * 0.25 + 0.5
    assert pixels.min() > -1e-9
    assert pixels.max() < 0.6
    assert found.brightness == pytest.approx(pixels.mean().item(), abs=1e-9)


def test_the_more_darkness_counts_the_darker_it_is():
    model, x = network("smooth", factor=4.0), images(1)
    dark, light = (Uncertain(**PHOTOS, iterations=60, darkness=darkness).find(x, model) for darkness in (50.0, 0.0))
    assert dark.brightness < light.brightness
    assert dark.evenness < light.evenness


def test_it_is_the_same_every_time():
    one, other = (QUICK.descend(images(1), network("smooth"), QUICK.normalisation(images(1), None)) for _ in range(2))
    assert torch.equal(one, other)


def gradient_counting(model):
    """Counts the passes that autograd watches."""
    model.watched = 0

    def count(module, _inputs, _output):
        module.watched += torch.is_grad_enabled()

    model.register_forward_hook(count)
    return model


def test_the_second_time_it_comes_from_the_cache_without_any_gradient(tmp_path):
    model = gradient_counting(network("smooth"))
    first = QUICK.find(images(1), model)
    assert model.watched >= 60
    assert len(list(tmp_path.iterdir())) == 1
    model.watched = 0
    second = QUICK.find(images(1), model)
    assert model.watched == 0
    assert torch.equal(first.image, second.image)
    assert str(first) == str(second)


@pytest.mark.parametrize(
    "other", [Uncertain(**PHOTOS, iterations=61, rate=0.02), Uncertain(**PHOTOS, iterations=60, rate=0.02, seed=1)]
)
def test_other_parameters_are_another_entry(tmp_path, other):
    for each in (QUICK, other):
        each.find(images(1), network("smooth"))
    assert len(list(tmp_path.iterdir())) == 2


def test_other_weights_are_another_entry(tmp_path):
    for seed in (0, 1):
        QUICK.find(images(1), network("smooth", seed=seed))
    assert len(list(tmp_path.iterdir())) == 2


def test_weights_that_changed_after_it_was_found_are_another_entry(tmp_path):
    model = network("smooth")
    QUICK.find(images(1), model)
    model.head = network("smooth", seed=1).head  # made in the same way: no tensor's version tells them apart
    QUICK.find(images(1), model)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_cache_that_cannot_be_written_is_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("RSI_GRADCAM_CACHE", str(tmp_path / "file" / "below"))
    assert QUICK.find(images(1), network("smooth")).evenness > 0.9


def test_a_broken_entry_is_made_again(tmp_path):
    first = QUICK.find(images(1), network("smooth"))
    (entry,) = tmp_path.iterdir()
    entry.write_bytes(b"no tensor")
    assert torch.equal(QUICK.find(images(1), network("smooth")).image, first.image)


def test_a_map_from_it_starts_there():
    model, x = network("smooth"), images(2)
    found = explain(model, x, "tanh1", "rsi_grad_cam", [1, 3], QUICK, steps=2)
    agree(found.baseline_score, model(QUICK.find(x, model).image).softmax(1)[0, [1, 3]].detach(), 1e-9)


def test_it_can_be_found_in_inference_mode():
    model = network("smooth")
    with torch.inference_mode():
        found = QUICK.find(images(1), model)
    assert found.evenness > 0.9


def test_finding_it_leaves_no_gradient_and_no_other_mode():
    model = network("residual").train()
    statistics = model.stem[1].running_mean.clone()
    QUICK.find(images(1), model)
    assert all(parameter.grad is None for parameter in model.parameters())
    assert model.training
    assert torch.equal(statistics, model.stem[1].running_mean)


def test_in_one_explanation_it_is_found_once():
    model = Counting(network("smooth"))
    explain(model, images(4), "network.tanh1", "rsi_grad_cam", 1, QUICK, steps=2, batch_size=1)
    assert model.calls < 60 + 30


@pytest.mark.parametrize("wrong", [{"iterations": 0}, {"rate": 0.0}, {"darkness": -1.0}])
def test_impossible_parameters_are_refused(wrong):
    with pytest.raises(BaselineError, match="above 0"):
        Uncertain(**wrong)


def test_where_the_normalisation_is_not_known_inputs_are_taken_for_pixels():
    model = network("plain")
    found = Uncertain(iterations=2).find(images(1), model)
    assert torch.equal(found.image, Uncertain((0, 0, 0), (1, 1, 1), iterations=2).find(images(1), model).image)
