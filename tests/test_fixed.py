from __future__ import annotations

import pytest

from rsi_gradcam import RSIGradCAM, explain
from rsi_gradcam.methods import LayerConductance
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import images, network, zeros


@pytest.mark.parametrize("rule", RULES)
def test_the_error_is_how_far_the_heatmap_moved_when_the_steps_were_doubled(rule):
    model, x = network("plain"), images(2)
    coarse, fine = (
        explain(model, x, "features.5", RSIGradCAM(rule), [1, 3], zeros(), steps=steps) for steps in (3, 6)
    )
    agree(fine.error, (fine.normalised - coarse.normalised).abs().mean((1, 2)), 1e-5)


@pytest.mark.parametrize("steps", [1, 3, 7])
def test_with_an_odd_number_of_steps_there_is_nothing_to_tell_the_error_by(steps):
    found = explain(network("plain"), images(2), "features.5", "rsi_grad_cam", 1, zeros(), steps=steps)
    assert found.error.isnan().all()
    assert found.converged.all()


def test_one_step_by_hand():
    """The right sum of one step is the gradient at the image times the whole increment."""
    model, x = network("plain"), images(1)
    found = explain(model, x, "features.5", LayerConductance("right"), 1, zeros(), steps=1)
    leaf = model.features(x).detach().requires_grad_()
    y = model.classifier(leaf.flatten(1)).softmax(1)[0, 1]
    y.backward()
    increment = leaf.detach() - model.features(zeros()[None]).detach()
    agree(found.raw, (leaf.grad * increment).sum(1))


@pytest.mark.parametrize("steps", [1, 2, 5, 50])
def test_so_many_steps_are_as_many_intervals(steps):
    found = explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, zeros(), steps=steps)
    assert found.passes.tolist() == [steps + 1]
    assert len(found.course[0].alphas) == steps + 1


def test_the_midpoint_rule_looks_at_the_middles_too():
    found = explain(network("plain"), images(1), "features.5", RSIGradCAM("midpoint"), 1, zeros(), steps=5)
    assert found.passes.tolist() == [11]
