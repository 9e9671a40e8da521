from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Curve, explain
from rsi_gradcam.errors import BaselineError
from rsi_gradcam.methods import LayerConductance
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.along_path import places, summed_over_channels, unit_integrals
from tests.oracles.network import probability, see


def bow(x, start):
    """A half turn beside the straight line."""
    side = images(1, seed=11)[0]
    return lambda alpha, row: start + alpha * (x[row] - start) + 4 * alpha * (1 - alpha) * side


@pytest.mark.parametrize("rule", ["right", "trapezoid", "midpoint"])
def test_it_is_the_sum_over_what_the_function_gives(rule):
    model, x = network("plain"), images(2)
    function = bow(x, zeros())
    found = explain(model, x, "features.5", LayerConductance(rule), 1, path=Curve(function), steps=4)
    for row in (0, 1):
        seen = [see(model, function(a, row), "features.5", probability(1)) for a in places(4, rule)]
        agree(found.raw[row], summed_over_channels(unit_integrals(seen, rule)))


def test_however_it_goes_the_change_of_the_score_is_the_same():
    model, x = network("smooth"), images(2)
    bent = explain(model, x, "tanh1", "rsi_hires_cam", 1, path=Curve(bow(x, zeros())), steps=512)
    straight = explain(model, x, "tanh1", "rsi_hires_cam", 1, zeros(), steps=512)
    agree(bent.signed.sum((1, 2)), straight.signed.sum((1, 2)), 1e-3)
    assert (bent.signed - straight.signed).abs().max() > 1e-3


def test_the_function_is_asked_for_the_images_own_place_in_the_batch():
    model, x = network("plain"), images(5)
    asked = set()

    def function(alpha, row):
        asked.add(row)
        return alpha * x[row]

    found = explain(model, x, "features.5", "rsi_grad_cam", 1, path=Curve(function), steps=3, batch_size=2)
    agree(found.signed, explain(model, x, "features.5", "rsi_grad_cam", 1, zeros(), steps=3).signed, 1e-12)
    assert asked == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    "function", [lambda alpha, row: alpha * torch.ones(3, 16, 16), lambda alpha, row: torch.ones(3, 8, 8)]
)
def test_a_curve_that_does_not_end_at_the_image_is_refused(function):
    with pytest.raises(BaselineError, match=r"function\(1.0, 0\) must give it back"):
        explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, path=Curve(function), steps=2)


def test_it_may_come_from_a_decoder_with_gradients_of_its_own():
    model, x = network("plain"), images(1)
    weight = torch.nn.Parameter(torch.ones((), dtype=torch.float64))
    path = Curve(lambda alpha, row: alpha * weight * x[row])
    with torch.enable_grad():
        found = explain(model, x, "input", "integrated_gradients", 1, path=path, steps=3)
    assert weight.grad is None
    assert not found.raw.requires_grad
