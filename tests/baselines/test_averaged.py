from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Averaged, Blur, Mean, explain
from rsi_gradcam.baselines import Given
from rsi_gradcam.errors import BaselineError
from tests.agreement import agree
from tests.networks import Counting, images, network, zeros

STARTS = (Given(zeros()), Given(images(1, seed=5)), Blur(2.0))


@pytest.mark.parametrize(
    "method",
    ["rsi_hires_cam", "rsi_grad_cam", "integrated_grad_cam", "integrated_gradients", "layer_integrated_gradients"],
)
def test_it_is_the_mean_of_separate_integrals(method):
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", method, [1, 3], Averaged(STARTS), steps=4)
    alone = [explain(model, x, "features.5", method, [1, 3], start, steps=4) for start in STARTS]
    agree(found.signed, torch.stack([each.signed for each in alone]).mean(0), 1e-12)
    agree(found.baseline_score, torch.stack([each.baseline_score for each in alone]).mean(0), 1e-12)
    agree(found.residual, torch.stack([each.residual for each in alone]).mean(0), 1e-9)


def test_it_is_the_integrals_and_not_the_maps_that_are_averaged():
    """ReLU of a mean is not the mean of ReLUs: units that pay off from one start and cost from another cancel."""
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, Averaged(STARTS), steps=4)
    weights = [explain(model, x, "features.5", "rsi_grad_cam", 1, start, steps=4).weights for start in STARTS]
    agree(found.weights, torch.stack(weights).mean(0), 1e-12)
    assert torch.equal(found.raw, found.signed.relu())


def test_one_of_one_is_that_one():
    model, x = network("plain"), images(2)
    one, plain = (
        explain(model, x, "features.5", "rsi_grad_cam", 1, b, steps=4) for b in (Averaged((Mean(),)), Mean())
    )
    agree(one.signed, plain.signed, 1e-14)


def test_one_within_another_counts_all_its_parts():
    nested = Averaged((STARTS[0], Averaged(STARTS[1:])))
    assert nested.parts() == STARTS


def test_to_a_tolerance_it_is_the_mean_of_the_integrals_too():
    model, x = network("smooth"), images(2)
    starts = STARTS[:2]
    found = explain(model, x, "tanh1", "rsi_grad_cam", 1, Averaged(starts), tolerance=0.005)
    exact = [explain(model, x, "tanh1", "rsi_grad_cam", 1, start, steps=1024).weights for start in starts]
    assert found.converged.all()
    agree(found.weights, torch.stack(exact).mean(0), 0.02)


@pytest.mark.parametrize("settings", [{"steps": 4}, {"tolerance": 0.01}])
def test_it_counts_its_passes_right(settings):
    model = Counting(network("smooth"))
    explain(model, images(1), "network.tanh1", "rsi_grad_cam", 1, zeros(), steps=1)  # finds out if it is a cut
    model.images = 0
    found = explain(model, images(1), "network.tanh1", "rsi_grad_cam", 1, Averaged(STARTS[:2]), **settings)
    assert found.passes.item() == model.images


@pytest.mark.parametrize("parts", [(), (zeros(),), ("black",)])
def test_what_is_no_baseline_is_refused(parts):
    with pytest.raises(BaselineError, match="one or more baselines"):
        Averaged(parts)
