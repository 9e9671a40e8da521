from __future__ import annotations

import pytest
import torch
from captum.attr import LayerConductance as ReferenceConductance

from rsi_gradcam import Logit, RSIGradCAM, explain
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import LAST, OneReLU, images, network, zeros
from tests.oracles.along_path import rsi_grad_cam_weights, walk
from tests.oracles.at_image import rectified, weighted_sum
from tests.oracles.network import probability


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule, kind):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    seen = [walk(model, x[row], baseline, LAST[kind], probability(c), 4, rule) for row, c in enumerate((1, 3))]
    for units in ("all", "relu", "positive"):
        for positive_gradients in (False, True):
            method = RSIGradCAM(rule, units, positive_gradients)
            found = explain(model, x, LAST[kind], method, [1, 3], baseline, steps=4)
            for row in (0, 1):
                weights = rsi_grad_cam_weights(seen[row], rule, units, positive_gradients=positive_gradients)
                agree(found.weights[row], weights)
                agree(found.signed[row], weighted_sum(weights, seen[row][-1]))
                agree(found.raw[row], rectified(weighted_sum(weights, seen[row][-1])))
                assert found.baseline_score[row].item() == pytest.approx(seen[row][0].y, rel=1e-12)


def test_the_selection_of_units_by_hand():
    A = torch.tensor([[[[1.0, 1.0, 1.0, -1.0]]]])
    A0 = torch.tensor([[[[0.0, 0.0, 2.0, -2.0]]]])
    I = torch.tensor([[[[4.0, -2.0, 8.0, 16.0]]]])  # noqa: E741
    assert RSIGradCAM(units="all").weights(I, A, A0).item() == 26 / 4
    assert RSIGradCAM(units="relu").weights(I, A, A0).item() == 28 / 4
    assert RSIGradCAM(units="positive").weights(I, A, A0).item() == 4 / 4  # only the first passes all three
    assert RSIGradCAM(units="positive").localize(I, A, A0).tolist() == [[[1.0, 1.0, 1.0, -1.0]]]


@pytest.mark.parametrize(("steps", "expected"), [(1, 0.0), (2, 0.0), (4, 0.5), (8, 0.75), (1000, 0.998)])
def test_the_one_relu_network_by_hand_with_the_papers_rule(steps, expected):
    """∂f/∂x is 1 below 1 and 0 from there on: the right sum from 0 to 2 misses the one step that ends at 1."""
    x = torch.full((1, 1, 1, 1), 2.0, dtype=torch.float64)
    found = explain(
        OneReLU(),
        x,
        "layer",
        RSIGradCAM(rule="right"),
        Logit(0),
        torch.zeros(1, 1, 1, dtype=torch.float64),
        steps=steps,
    )
    assert found.weights.item() == pytest.approx(expected, abs=1e-12)


def test_the_one_relu_network_has_gradient_zero_and_integral_one():
    x = torch.full((1, 1, 1, 1), 2.0, dtype=torch.float64)
    black = torch.zeros(1, 1, 1, dtype=torch.float64)
    assert explain(OneReLU(), x, "layer", "grad_cam", Logit(0)).raw.item() == 0.0
    exact = explain(OneReLU(), x, "layer", "rsi_hires_cam", Logit(0), black, steps=2001)  # no point lies at the kink
    assert exact.raw.item() == pytest.approx(1.0, abs=1e-12)
    refined = explain(OneReLU(), x, "layer", "rsi_hires_cam", Logit(0), black, tolerance=0.001)
    assert refined.raw.item() == pytest.approx(1.0, abs=0.05)  # a map of one place is settled at once
    assert refined.residual.item() == pytest.approx(refined.raw.item() - 1, abs=1e-12)  # and says how far off it is


def test_at_a_cut_the_weights_share_out_the_change_of_the_score():
    model, x = network("smooth"), images(2)
    found = explain(model, x, "tanh1", "rsi_grad_cam", 1, zeros(), steps=512)
    units = 8 * 8
    agree(units * found.weights.sum(1), found.score - found.baseline_score, 1e-4)


@pytest.mark.parametrize("kind", ["plain", "residual"])
def test_its_weights_are_the_mean_of_captums_layer_conductance(kind):
    model, x = network(kind), images(2)
    reference = ReferenceConductance(model, model.get_submodule(LAST[kind]))
    expected = reference.attribute(x, zeros()[None], target=[1, 3], n_steps=7, method="riemann_trapezoid").detach()
    found = explain(model, x, LAST[kind], RSIGradCAM(rule="left"), Logit((1, 3)), zeros(), steps=7)
    agree(found.weights, expected.mean((2, 3)), 1e-6)  # Captum's α are float32


def test_an_unknown_selection_is_refused_with_the_nearest():
    with pytest.raises(ConfigurationError, match="did you mean positive"):
        RSIGradCAM(units="positiv")


def test_an_unknown_rule_is_refused_with_the_nearest():
    with pytest.raises(ConfigurationError, match="did you mean trapezoid"):
        RSIGradCAM(rule="trapezium")
