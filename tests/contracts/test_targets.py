"""What every target must satisfy. A new class of targets/ is covered by itself."""

from __future__ import annotations

import dataclasses
import inspect

import pytest
import torch

from rsi_gradcam import explain, targets
from rsi_gradcam.targets import ClassTarget, Function, Probability, Target, ThroughUnit, Unit
from tests.agreement import agree, apart
from tests.networks import images, network, zeros

# Of those that need something.
MADE = {
    Function: Function(lambda output: output[:, 1] ** 2),
    Unit: Unit("tanh2", (2, 1, 3)),
    ThroughUnit: ThroughUnit(Probability(1), "tanh2", (2, 1, 3)),
}
KINDS = [
    kind
    for kind in vars(targets).values()
    if inspect.isclass(kind) and issubclass(kind, Target) and not inspect.isabstract(kind) and kind is not Target
]
WHOLE = [kind for kind in KINDS if kind is not ThroughUnit]  # of which y is all that is attributed
each_target = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
each_whole_target = pytest.mark.parametrize("kind", WHOLE, ids=lambda kind: kind.__name__)


def made(kind):
    return MADE[kind] if kind in MADE else kind(1)


def score(kind, x):
    return explain(network("smooth"), x, "tanh1", "grad_cam", made(kind)).score


def test_all_targets_are_here():
    assert len(KINDS) >= 8


@each_target
def test_it_is_a_frozen_dataclass(kind):
    assert dataclasses.is_dataclass(kind)
    assert made(kind) == dataclasses.replace(made(kind))
    assert hash(made(kind)) == hash(dataclasses.replace(made(kind)))


@each_whole_target
def test_the_gradient_is_that_of_the_score_by_finite_differences(kind):
    """Integrated Gradients of one tiny step, over its length, is the gradient itself."""
    x, step = images(1), 1e-5
    for channel, row, column in ((0, 3, 4), (2, 10, 7)):
        moved = x.clone()
        moved[0, channel, row, column] += step
        found = explain(network("smooth"), moved, "input", "integrated_gradients", made(kind), x[0], steps=1)
        expected = score(kind, moved) - score(kind, x)
        assert found.raw[0, row, column].item() == pytest.approx(expected.item(), rel=1e-4, abs=1e-13)


@each_whole_target
def test_the_map_adds_up_to_the_change_of_the_score(kind):
    found = explain(network("smooth"), images(2), "tanh1", "rsi_hires_cam", made(kind), zeros(), steps=300)
    change = found.score - found.baseline_score
    agree(found.signed.sum((1, 2)), change, 2e-3)
    assert found.residual.abs().max() < 2e-3 * change.abs().max()


@each_target
def test_what_is_not_the_whole_change_has_no_residual(kind):
    found = explain(network("smooth"), images(2), "tanh1", "rsi_hires_cam", made(kind), zeros(), steps=2)
    assert found.residual.isnan().all().item() is (kind is ThroughUnit)


@each_target
@pytest.mark.parametrize("method", ["grad_cam", "rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_a_batch_gives_what_its_images_give_alone(kind, method):
    model, x = network("smooth"), images(3)
    together = explain(model, x, "tanh1", method, made(kind), zeros(), steps=3, batch_size=2)
    for row in range(3):
        alone = explain(model, x[row : row + 1], "tanh1", method, made(kind), zeros(), steps=3)
        agree(together.signed[row], alone.signed[0], 1e-10)
        agree(together.score[row : row + 1], alone.score, 1e-12)


@each_target
def test_in_float32_it_gives_what_it_gives_in_float64(kind):
    wide = explain(network("smooth"), images(2), "tanh1", "rsi_grad_cam", made(kind), zeros(), steps=3)
    narrow = explain(
        network("smooth", dtype=torch.float32),
        images(2).float(),
        "tanh1",
        "rsi_grad_cam",
        made(kind),
        zeros(),
        steps=3,
    )
    assert apart(narrow.signed.double(), wide.signed) < 1e-3


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if issubclass(kind, ClassTarget)], ids=lambda kind: kind.__name__
)
def test_a_class_target_names_the_class_of_each_image(kind):
    found = explain(network("smooth"), images(2), "tanh1", "grad_cam", kind((1, 3)))
    assert found.classes == (1, 3)
