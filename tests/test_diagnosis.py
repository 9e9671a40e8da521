from __future__ import annotations

import dataclasses

import pytest
import torch
from torch import nn

from rsi_gradcam import GradCAM, Logit, diagnose, explain
from rsi_gradcam.methods import RSIGradCAM
from tests.networks import LAST, Scaled, images, network, zeros


def causes(explanation, row=0):
    return [each.cause for each in diagnose(explanation, row)]


@pytest.mark.parametrize("method", ["grad_cam", "hires_cam", "rsi_grad_cam", "rsi_hires_cam", "integrated_grad_cam"])
@pytest.mark.parametrize("kind", ["smooth", "pooled", "residual", "depthwise"])
def test_it_is_silent_on_a_healthy_map(kind, method):
    model, x = network(kind), images(4)
    found = explain(model, x, LAST[kind], method, None, zeros(), tolerance=0.005)
    healthy = [row for row in range(4) if found.score[row] < 0.95 and found.signed[row].max() > 0]
    assert healthy
    change = (found.score - found.baseline_score).abs()
    for row in healthy:
        said = causes(found, row)
        if change[row] > 0.05 or method in ("grad_cam", "hires_cam"):  # a change of nothing is missed easily
            assert [each for each in said if each != "cancellation"] == []


def test_a_saturated_output_is_named_with_its_number():
    model, x = Scaled(network("pooled"), 20.0), images(1)
    found = explain(model, x, "network.relu2", "grad_cam")
    assert found.score.item() > 0.999
    (said,) = [each for each in diagnose(found) if each.cause == "saturated output"]
    assert said.value == pytest.approx(found.score.item())
    assert f"{found.score.item():.6f}" in said.message
    assert "rsi_grad_cam" in said.advice
    integrated = explain(model, x, "network.relu2", "rsi_grad_cam", None, zeros(), tolerance=0.01)
    assert "saturated output" not in causes(integrated)


def test_a_logit_is_no_saturated_output_however_large():
    assert "saturated output" not in causes(explain(network("pooled"), images(1), "relu2", "grad_cam", Logit()))


def test_a_saturated_output_that_leaves_the_map_dark_says_so_too():
    model, x = Scaled(network("pooled"), 60.0), images(1)
    found = explain(model, x, "network.relu2", GradCAM(positive=True))
    assert 0 < (found.raw.max() - found.raw.min()) < 1e-8
    assert {"saturated output", "dark"} <= set(causes(found))


def test_a_true_zero_is_named():
    model = network("pooled")
    nn.init.zeros_(model.head.weight)
    found = explain(model, images(1), "relu2", "grad_cam", Logit(1))
    assert "true zero" in causes(found)
    assert "only negative evidence" not in causes(found)


def test_an_image_that_is_its_own_baseline_is_a_true_zero():
    x = images(1)
    assert "true zero" in causes(explain(network("plain"), x, "features.5", "rsi_grad_cam", 1, x[0], steps=4))


def test_only_negative_evidence_is_named_with_its_strength():
    model = network("pooled")
    with torch.no_grad():
        model.head.weight.copy_(-model.head.weight.abs())
    found = explain(model, images(1), "relu2", "grad_cam", Logit(1))
    assert found.raw.max() == 0
    assert found.signed.min() < 0
    (said,) = [each for each in diagnose(found) if each.cause == "only negative evidence"]
    assert said.value == pytest.approx(found.signed.min().item())


def test_a_signed_map_may_be_negative():
    model = network("pooled")
    with torch.no_grad():
        model.head.weight.copy_(-model.head.weight.abs())
    found = explain(model, images(1), "relu2", "rsi_hires_cam", Logit(1), zeros(), steps=64)
    assert "only negative evidence" not in causes(found)


def test_channels_that_cancel_are_named_with_what_is_left():
    """Two channels that see the same, and weights of 1 and −0.995."""
    model = nn.Sequential(
        nn.Conv2d(1, 2, 1, bias=False), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2, 2, bias=False)
    )
    nn.init.ones_(model[0].weight)
    model[3].load_state_dict({"weight": torch.tensor([[1.0, -0.995], [0.0, 0.0]])})
    found = explain(model, torch.rand(1, 1, 4, 4) + 0.5, "0", "grad_cam", Logit(0))
    (said,) = [each for each in diagnose(found) if each.cause == "cancellation"]
    assert said.value == pytest.approx(0.005 / 1.995, rel=1e-3)
    assert found.cancellation.item() == pytest.approx(said.value)


def test_steps_that_are_too_few_are_named():
    model, x = Scaled(network("smooth"), 12.0), images(4)
    coarse = explain(model, x, "network.tanh2", "rsi_grad_cam", None, zeros(), steps=2)
    assert (coarse.error > 0.05).any()
    for row in range(4):
        assert ("path too coarse" in causes(coarse, row)) is (coarse.error[row].item() > 0.05)


def test_a_cap_that_came_before_the_tolerance_is_named_with_passes_and_error():
    found = explain(
        network("plain", factor=20.0),
        images(1),
        "features.2",
        "rsi_grad_cam",
        None,
        zeros(),
        tolerance=1e-6,
        max_passes=9,
    )
    (said,) = [each for each in diagnose(found) if each.cause == "path too coarse"]
    assert str(int(found.passes)) in said.message
    assert "max_passes" in said.advice
    assert said.value == pytest.approx(found.error.item())


def test_a_layer_that_can_be_gone_round_is_named_a_wrong_layer():
    found = explain(network("parallel"), images(1), "left", "rsi_grad_cam", None, zeros(), steps=256)
    (said,) = [each for each in diagnose(found) if each.cause == "wrong layer"]
    assert "'left' is no cut" in said.message
    assert said.value == pytest.approx(abs(found.residual / (found.score - found.baseline_score)).item(), rel=1e-5)


def test_at_a_cut_what_the_integrals_miss_is_named():
    model, x = Scaled(network("plain"), 30.0), images(1)
    found = explain(model, x, "network.features.0", RSIGradCAM("right"), None, zeros(), steps=2)
    assert found.is_cut
    assert "incomplete" in causes(found)
    assert "wrong layer" not in causes(found)


def test_along_a_layers_own_path_no_way_leads_past_it():
    """The image does not move, so what the integrals miss is for want of steps and not for the layer."""
    found = explain(
        network("residual"), images(1), "stage1.conv1", "layer_integrated_gradients", None, zeros(), steps=1
    )
    assert abs(found.residual / (found.score - found.baseline_score)) > 0.05
    assert "wrong layer" not in causes(found)
    assert "incomplete" in causes(found)


def test_a_layer_of_hardly_any_places_is_named_a_wrong_layer():
    found = explain(network("pooled"), images(1), "pool", "grad_cam", 1)
    assert found.raw.shape == (1, 1, 1)
    assert "wrong layer" in causes(found)


def test_each_image_has_its_own_diagnosis():
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, torch.stack([x[0], zeros()]), steps=64)
    assert "true zero" in causes(found, 0)
    assert "true zero" not in causes(found, 1)


def test_a_diagnosis_is_one_line_to_read():
    found = explain(network("pooled"), images(1), "pool", "grad_cam", 1)
    (said,) = [each for each in diagnose(found) if each.cause == "wrong layer"]
    assert str(said) == f"{said.message} {said.advice}"
    assert "\n" not in str(said)
    assert dataclasses.is_dataclass(said)


@pytest.mark.parametrize("method", ["grad_cam", "rsi_grad_cam"])
def test_what_is_not_a_number_is_told_and_never_settled(method):
    model = network("plain")
    with torch.no_grad():
        next(reversed(list(model.parameters()))).fill_(float("nan"))
    found = explain(model, images(1), "features.5", method, 1, zeros())
    assert diagnose(found)[0].cause == "not a number"
    assert not found.converged.any()
