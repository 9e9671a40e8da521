from __future__ import annotations

import gc
import random
import threading
import time
import weakref

import numpy as np
import pytest
import torch
from torch import nn

from rsi_gradcam import Curve, Noise, explain, explain_all
from rsi_gradcam.methods import LIME
from tests.agreement import agree
from tests.networks import KINDS, LAST, images, network, zeros
from tests.state import state_of, unchanged

EVERYTHING = [
    "grad_cam",
    "rsi_grad_cam",
    "integrated_gradients",
    "layer_integrated_gradients",
    "neuron_conductance",
    "score_cam",
    "guided_grad_cam",
]
SETTINGS = [{"steps": 2}, {"tolerance": 0.1}]


@pytest.mark.parametrize("settings", SETTINGS, ids=["steps", "tolerance"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_explanation_leaves_nothing_behind(kind, settings):
    model, x = network(kind, dtype=torch.float32), images(2, dtype=torch.float32)
    with unchanged(model):
        explain_all(model, x, [LAST[kind]], EVERYTHING, None, zeros(), **settings)


@pytest.mark.parametrize("settings", SETTINGS, ids=["steps", "tolerance"])
def test_a_model_of_mixed_modes_stays_mixed(settings):
    model = network("residual").train()
    model.stage1.eval()
    model.stage2.norm1.eval()
    model.head.train()
    with unchanged(model):
        explain_all(model, images(2), ["stage2"], EVERYTHING, None, zeros(), **settings)


def test_batch_norm_in_train_mode_is_used_with_its_running_statistics_which_stay():
    model, x = network("residual"), images(2)
    wanted = explain(model, x, "stage2", "rsi_grad_cam", 1, zeros(), steps=3)
    model.train()
    with unchanged(model):
        agree(explain(model, x, "stage2", "rsi_grad_cam", 1, zeros(), steps=3).signed, wanted.signed, 1e-14)


def test_dropout_in_train_mode_drops_nothing():
    model, x = network("plain"), images(2)
    wanted = explain(model, x, "features.5", "rsi_grad_cam", 1, zeros(), steps=3)
    model.train()
    with unchanged(model):
        agree(explain(model, x, "features.5", "rsi_grad_cam", 1, zeros(), steps=3).signed, wanted.signed, 1e-14)


@pytest.mark.parametrize("frozen", ["all", "some", "none"])
@pytest.mark.parametrize("kind", ["plain", "residual", "parallel"])
def test_frozen_parameters_or_not_the_map_is_the_same(kind, frozen):
    model, x = network(kind), images(2)
    wanted = explain_all(model, x, [LAST[kind]], EVERYTHING, 1, zeros(), steps=2)
    for place, parameter in enumerate(model.parameters()):
        parameter.requires_grad_({"all": False, "some": place % 2 == 0, "none": True}[frozen])
    with unchanged(model):
        found = explain_all(model, x, [LAST[kind]], EVERYTHING, 1, zeros(), steps=2)
    for key, each in found.items():
        agree(each.signed, wanted[key].signed, 1e-13)


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_the_callers_grad_mode_does_not_matter_and_stays(mode):
    model, x, start = network("residual"), images(2), zeros()
    wanted = explain_all(model, x, ["stage2"], EVERYTHING, 1, start, steps=2)
    with mode(), unchanged(model):
        found = explain_all(model, images(2), ["stage2"], EVERYTHING, 1, start, steps=2)
    for key, each in found.items():
        agree(each.signed, wanted[key].signed, 1e-13)
        assert not each.raw.requires_grad
        assert not each.raw.is_inference()


def test_gradients_that_the_user_has_gathered_stay_as_they_are():
    model, x = network("plain"), images(2)
    model(x).sum().backward()
    x.requires_grad_()
    with unchanged(model):
        explain_all(model, x, ["features.5"], EVERYTHING, None, zeros(), steps=2)
    assert x.grad is None
    assert x.requires_grad


def test_an_image_that_wants_gradients_gets_none_and_the_map_has_no_graph():
    x = images(1).requires_grad_()
    found = explain(network("plain"), x, "input", "integrated_gradients", 1, zeros(), steps=2)
    assert x.grad is None
    assert not found.raw.requires_grad


@pytest.mark.parametrize("layers", [["1.features.5"], ["input"]])
def test_the_images_and_the_baseline_are_not_changed_by_a_model_that_works_in_place_on_its_input(layers):
    x, start = images(2), images(1, seed=4)
    kept = x.clone(), start.clone()
    plain, in_place = (nn.Sequential(nn.ReLU(inplace=each), network("plain")) for each in (False, True))
    methods = ["grad_cam", "rsi_grad_cam"]
    wanted = explain_all(plain, x, layers, methods, 1, start, steps=2)
    found = explain_all(in_place, x, layers, methods, 1, start, steps=2)
    assert torch.equal(x, kept[0])
    assert torch.equal(start, kept[1])
    for key, each in found.items():
        agree(each.signed, wanted[key].signed, 1e-12)


def test_an_in_place_relu_right_after_the_layer_does_not_change_what_was_seen():
    model, x = network("plain"), images(2)
    copy = network("plain")
    for module in copy.modules():
        if isinstance(module, nn.ReLU):
            module.inplace = False
    for layer in ("features.0", "features.3"):
        for method in ("grad_cam", "rsi_grad_cam", "integrated_grad_cam", "layer_integrated_gradients", "score_cam"):
            found, wanted = (explain(each, x, layer, method, 1, zeros(), steps=3) for each in (model, copy))
            agree(found.signed, wanted.signed, 1e-13)


def test_the_users_own_hooks_run_and_stay():
    model, x = network("plain"), images(1)
    calls = []
    handle = model.features[2].register_forward_hook(lambda *_: calls.append(1))
    with unchanged(model):
        explain(model, x, "features.2", "grad_cam", 1)
    assert calls
    handle.remove()


class Broken(Exception):
    pass


class BreaksAt(nn.Module):
    """A module that passes its input on, until its n-th call."""

    def __init__(self, call):
        super().__init__()
        self.left = call

    def forward(self, x):
        object.__setattr__(self, "left", self.left - 1)
        if self.left <= 0:
            raise Broken
        return x


@pytest.mark.parametrize("place", ["below", "above"])
@pytest.mark.parametrize("call", [1, 2, 3, 4, 5, 6, 7, 9])
@pytest.mark.parametrize("settings", SETTINGS, ids=["steps", "tolerance"])
def test_a_model_that_breaks_in_the_middle_is_left_as_it_was(settings, call, place):
    model = network("residual", dtype=torch.float32).train()
    breaking = BreaksAt(call)
    if place == "below":
        model.stem.add_module("breaking", breaking)
    else:
        model.pool = nn.Sequential(breaking, model.pool)
    x = images(2, dtype=torch.float32)
    before = state_of(model)
    with torch.inference_mode(), pytest.raises(Broken):
        explain_all(
            model,
            x,
            ["stage1"],
            ["rsi_grad_cam", "score_cam", "layer_integrated_gradients"],
            None,
            zeros(),
            **settings,
        )
    after = state_of(model)
    ours = {key for key in before if "breaking" not in key and "pool.0" not in key}
    assert [key for key in ours if before[key] != after[key]] == []


def broken_target(output):
    raise Broken


def broken_path(alpha, row):
    if alpha < 0.6:
        raise Broken
    return images(1)[0]


@pytest.mark.parametrize(
    "options",
    [
        {"target": broken_target},
        {"target": 1, "path": Curve(broken_path)},
        {"target": 99},
        {"target": 1, "layer": "classifier.0"},
        {"target": 1, "layer": "classifier.0", "method": "grad_cam"},
        {"target": 1, "baseline": Noise()},
        {"target": 1, "baseline": torch.zeros(1)},
    ],
    ids=["target", "path", "class", "layer", "layer of grad_cam", "baseline", "baseline shape"],
)
def test_an_error_from_anywhere_leaves_all_as_it_was(options):
    model = network("plain").train()
    arguments = {"layer": "features.5", "method": "rsi_grad_cam", "baseline": zeros(), "steps": 4, **options}
    with unchanged(model), pytest.raises(Exception):  # noqa: B017, PT011 - which one is tested elsewhere
        explain(model, images(1), **arguments)


@pytest.mark.parametrize("method", [*EVERYTHING, LIME(samples=5)], ids=str)
def test_no_random_number_is_drawn_from_the_users_generators(method):
    model, x = network("plain", dtype=torch.float32).train(), images(1, dtype=torch.float32)
    explain(model, x, "features.5", method, 1, zeros(), steps=1)  # what is imported late may draw while it is
    random.seed(3)
    np.random.seed(3)
    torch.manual_seed(3)
    with unchanged(model):
        explain(model, x, "features.5", method, 1, zeros(), tolerance=0.05)


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("settings", [{"steps": 6}, {"tolerance": 0.02}], ids=["steps", "tolerance"])
def test_two_threads_at_once_on_one_model_each_get_their_own_right_answer(settings, training):
    class Slow(nn.Module):
        def forward(self, x):
            time.sleep(0.002)
            return x

    model = network("residual")
    model.stage1 = nn.Sequential(model.stage1, Slow())
    jobs = [
        (images(2, seed=1), "stage2", "rsi_grad_cam", [1, 3]),
        (images(1, seed=2), "stem", "integrated_grad_cam", 0),
        (images(2, seed=3), "stage2", "layer_integrated_gradients", 2),
    ]
    wanted = [explain(model, x, layer, method, target, zeros(), **settings) for x, layer, method, target in jobs]
    model.train(training)
    before, found, failed = state_of(model), {}, []
    start = threading.Barrier(len(jobs))

    def work(place):
        x, layer, method, target = jobs[place]
        try:
            start.wait()
            found[place] = [explain(model, x, layer, method, target, zeros(), **settings) for _ in range(3)]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    for place, expected in enumerate(wanted):
        for each in found[place]:
            agree(each.signed, expected.signed, 1e-12)
            assert each.passes.tolist() == expected.passes.tolist()
    after = state_of(model)
    assert [key for key in before if before[key] != after[key]] == []


def test_a_user_who_runs_the_model_in_another_thread_meanwhile_gets_the_usual_output():
    model, x = network("residual"), images(2)
    wanted, stop, seen = model(x).detach(), threading.Event(), []

    def use():
        while not stop.is_set():
            with torch.no_grad():
                seen.append(model(x))

    thread = threading.Thread(target=use)
    thread.start()
    explain(model, images(2, seed=1), ["stem", "stage2"], "rsi_grad_cam", 1, zeros(), steps=30)
    stop.set()
    thread.join()
    assert seen
    assert all(torch.equal(each, wanted) and not each.requires_grad for each in seen)


def living():
    gc.collect()
    tensors = [each for each in gc.get_objects() if issubclass(type(each), torch.Tensor)]
    return len(tensors), sum(each.numel() for each in tensors)


def test_three_hundred_explanations_leave_no_tensor_and_no_hook():
    model, x = network("residual", dtype=torch.float32), images(1, dtype=torch.float32)
    options = [
        ("rsi_grad_cam", {"steps": 2}),
        ("rsi_grad_cam", {"tolerance": 0.3}),
        ("grad_cam", {}),
        ("integrated_gradients", {"steps": 1}),
        ("layer_integrated_gradients", {"steps": 1}),
        ("neuron_conductance", {"steps": 1}),
    ]

    def some(rounds):
        for _ in range(rounds):
            for method, settings in options:
                explain(model, x, "stage2", method, None, zeros(torch.float32), **settings)

    some(3)
    before, hooks = living(), {key: value for key, value in state_of(model).items() if "hook" in key}
    some(50)
    assert living() == before
    assert {key: value for key, value in state_of(model).items() if "hook" in key} == hooks


def test_functions_as_targets_are_not_kept_when_they_are_done_with():
    model, x = network("smooth", dtype=torch.float32), images(1, dtype=torch.float32)

    def one_time():
        wanted = torch.randn(5)
        return lambda output: (output * wanted).sum(1)

    def some(rounds):
        for _ in range(rounds):
            explain(model, x, "tanh1", "rsi_grad_cam", one_time(), zeros(torch.float32), steps=1)

    some(3)
    before = living()
    some(20)
    assert living() == before


def test_training_between_explanations_leaves_nothing_behind_either():
    model, x = network("smooth", dtype=torch.float32), images(1, dtype=torch.float32)
    weights = weakref.ref(model.head)

    def some(rounds):
        for _ in range(rounds):
            with torch.no_grad():
                model.head.weight.add_(0.01)
            explain(model, x, "tanh1", "rsi_grad_cam", 1, zeros(torch.float32), tolerance=0.1)

    some(3)
    before = living()
    some(20)
    assert living() == before
    some = model = None
    gc.collect()
    assert weights() is None
