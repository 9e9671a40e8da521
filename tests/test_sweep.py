from __future__ import annotations

import gc

import pytest
import torch
from torch import nn

from rsi_gradcam import explain, explain_all
from rsi_gradcam.errors import ModelError
from rsi_gradcam.sweep import Batching
from tests.agreement import agree
from tests.networks import Counting, images, network, zeros


class Cramped(nn.Module):
    """A network on a device where memory gets scarce: from some call on, few images fit at once."""

    def __init__(self, network, most, after=0, error=None):
        super().__init__()
        self.network, self.most, self.left = network, most, after
        self.error = error or RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        self.largest = 0

    def forward(self, x):
        self.left -= 1
        if self.left < 0 and len(x) > self.most:
            raise self.error
        self.largest = max(self.largest, len(x))
        return self.network(x)


ERRORS = [
    RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
    torch.OutOfMemoryError("CUDA out of memory."),
    RuntimeError("[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory"),
    RuntimeError("MPS backend out of memory (MPS allocated: 5 GB)"),
    MemoryError(),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: str(error)[:20])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_when_memory_runs_out_fewer_images_are_run_at_once(most, error):
    model, x = Cramped(network("plain"), most, error=error), images(5)
    found = explain(model, x, "network.features.5", "rsi_grad_cam", [0, 1, 2, 3, 4], zeros(), steps=6)
    wanted = explain(network("plain"), x, "features.5", "rsi_grad_cam", [0, 1, 2, 3, 4], zeros(), steps=6)
    assert model.largest <= most
    assert found.raw.shape == wanted.raw.shape
    agree(found.signed, wanted.signed, 1e-12)
    assert found.passes.tolist() == wanted.passes.tolist()


@pytest.mark.parametrize("after", range(1, 12))
@pytest.mark.parametrize("settings", [{"steps": 6}, {"tolerance": 0.02}], ids=["steps", "tolerance"])
def test_whenever_memory_runs_out_each_image_is_explained_once(settings, after):
    """Also while the paths of several images are under way."""
    methods = ["grad_cam", "rsi_grad_cam", "layer_integrated_gradients", "score_cam"]
    x, classes = images(5), [0, 1, 2, 3, 4]
    wanted = explain_all(network("smooth"), x, ["tanh1"], methods, classes, zeros(), **settings)
    model = Cramped(network("smooth"), most=2, after=after)
    found = explain_all(model, x, ["network.tanh1"], methods, classes, zeros(), **settings)
    for each, expected in zip(found.values(), wanted.values(), strict=True):
        assert each.raw.shape == expected.raw.shape
        assert each.classes == expected.classes
        agree(each.signed, expected.signed, 1e-10)


def test_when_not_even_one_image_fits_the_error_comes_through():
    with pytest.raises(RuntimeError, match="out of memory"):
        explain(Cramped(network("plain"), 0), images(2), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=2)


def test_another_error_of_the_model_is_not_taken_for_a_lack_of_memory():
    model = Cramped(network("plain"), 1, error=RuntimeError("mat1 and mat2 shapes cannot be multiplied"))
    with pytest.raises(ModelError, match=r"fails on images of shape \(\d, 3, 16, 16\), torch.float64: mat1 and mat2"):
        explain(model, images(4), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=2)
    assert model.largest <= 1


def test_chunks_cover_everything_once_and_in_order_when_they_are_halved_on_the_way():
    batching, seen = Batching(8), []

    def run(part):
        if part.stop - part.start > 3:
            raise MemoryError
        seen.extend(range(part.start, part.stop))

    batching.chunks(13, run)
    assert seen == list(range(13))
    assert batching.size <= 3


def test_chunks_that_are_halved_from_within_cover_everything_once_too():
    batching, seen = Batching(8), []

    def run(part):
        seen.extend(range(part.start, part.stop))
        batching.size = 2  # as an inner run does that meets the end of the memory

    batching.chunks(13, run)
    assert seen == list(range(13))


@pytest.mark.parametrize("wanted", [1, 3, 7])
def test_the_batch_size_can_be_set(wanted):
    model = Counting(network("plain"))
    explain(model, images(2), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=20, batch_size=wanted)
    assert model.largest == wanted


def test_without_one_points_are_run_in_batches():
    model = Counting(network("plain"))
    explain(model, images(1), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=50)
    assert model.calls < 10


@pytest.mark.parametrize("steps", [1, 2, 7, 16])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_passes_are_counted_as_the_model_sees_them(method, steps):
    model = Counting(network("plain"))
    explain(model, images(1), "network.features.5", method, 1, zeros(), steps=1)  # finds out if it is a cut
    model.images = 0
    found = explain(model, images(1), "network.features.5", method, 1, zeros(), steps=steps)
    assert found.passes.tolist() == [model.images]


def test_many_methods_layers_and_targets_take_no_more_passes_than_one():
    model, x = Counting(network("residual")), images(1)
    layers = ["network.stem", "network.stage1", "network.stage2"]
    methods = ["grad_cam", "rsi_grad_cam", "integrated_grad_cam", "rsi_hires_cam", "integrated_gradients"]
    options = {"targets": [0, 1, 2], "baseline": zeros(), "steps": 10}
    explain_all(model, x, layers, methods, **options)
    model.images = 0
    found = explain_all(model, x, layers, methods, **options)
    assert len(found) == 3 * (4 * 3 + 1)
    assert model.images == 11


def test_the_baseline_is_looked_at_once_for_all_images():
    model = Counting(network("plain"))
    explain(model, images(6), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=1)
    model.images = 0
    explain(model, images(6), "network.features.5", "rsi_grad_cam", 1, zeros(), steps=1, batch_size=2)
    assert model.images == 6 + 1


@pytest.fixture
def _only_what_is_new():
    """What lives already is out of the garbage collector's sight, which makes looking fast."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


class Weighing(nn.Module):
    """A network that weighs all living tensors each time it is called."""

    def __init__(self, network):
        super().__init__()
        self.network, self.most = network, 0

    def forward(self, x):
        found = {}
        for each in gc.get_objects():
            if issubclass(type(each), torch.Tensor):
                storage = each.untyped_storage()
                found[storage.data_ptr()] = storage.nbytes()
        self.most = max(self.most, sum(found.values()))
        return self.network(x)


@pytest.mark.usefixtures("_only_what_is_new")
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_grad_cam", "layer_integrated_gradients"])
def test_the_living_tensors_do_not_grow_with_the_steps(method):
    most = []
    for steps in (50, 400):
        gc.collect()
        model = Weighing(network("plain"))
        explain(model, images(2), "network.features.0", method, 1, zeros(), steps=steps, batch_size=8)
        most.append(model.most)
    assert most[1] <= 1.1 * most[0]


@pytest.mark.usefixtures("_only_what_is_new")
def test_the_living_tensors_do_not_grow_with_the_number_of_images_run_in_turn():
    most = []
    for count in (4, 16):
        gc.collect()
        model, x = Weighing(network("plain")), images(count)
        explain(model, x, "network.features.0", "rsi_grad_cam", 1, zeros(), steps=4, batch_size=4)
        most.append(model.most - 2 * x.nbytes)
    assert most[1] <= 1.2 * most[0]
