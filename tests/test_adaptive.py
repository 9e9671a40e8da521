from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import Logit, RSIGradCAM, Sample, diagnose, explain, explain_all
from rsi_gradcam.errors import ConfigurationError
from tests.agreement import agree
from tests.networks import CUTS, Counting, Scaled, images, network, zeros

METHODS = [
    "rsi_grad_cam",
    "integrated_grad_cam",
    "rsi_hires_cam",
    "integrated_gradients",
    "layer_integrated_gradients",
]
SATURATED = [("plain", 30.0), ("residual", 1.5), ("depthwise", 8.0), ("shared_relu", 12.0), ("smooth", 12.0)]


def true_errors(kind, factor, tolerance, methods, count=3, **options):
    """The mean absolute error of each heatmap against 1024 steps, with what was made."""
    model, x = Scaled(network(kind), factor), images(count, seed=2)
    layers = [f"network.{CUTS[kind][2 % len(CUTS[kind])]}", f"network.{CUTS[kind][-1]}"]
    found = explain_all(model, x, layers, methods, None, zeros(), tolerance=tolerance, **options)
    exact = explain_all(model, x, layers, methods, None, zeros(), steps=1024)
    for key, each in found.items():
        yield each, (each.normalised - exact[key].normalised).abs().mean((1, 2))


@pytest.fixture(scope="module")
def saturated():
    """(method, kind, tensor of true errors, what was made) of many maps of networks whose output saturates."""
    methods = ["rsi_grad_cam", "integrated_grad_cam", "rsi_hires_cam"]
    return [
        (found.method.name, kind, error, found)
        for kind, factor in SATURATED
        for found, error in true_errors(kind, factor, 0.01, methods)
    ]


def test_with_a_saturated_output_the_true_error_is_within_the_tolerance_in_95_of_100_maps(saturated):
    every = torch.cat([error for _, _, error, _ in saturated])
    assert len(every) == 90
    assert (every <= 0.01).double().mean() >= 0.95


def test_where_the_estimate_is_too_hopeful_it_is_not_far_off(saturated):
    for method, kind, error, found in saturated:
        assert found.converged.all(), (method, kind, found.passes)
        assert (error <= 0.015).all(), (method, kind, error, found.error, found.passes)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [0.03, 0.003])
def test_every_method_keeps_to_the_tolerance_on_its_own_or_is_not_far_off(method, tolerance):
    for found, error in true_errors("smooth", 8.0, tolerance, [method], 2):
        assert found.converged.all()
        assert (error <= 1.5 * tolerance).all(), (found, error, found.passes)


def test_a_smaller_tolerance_takes_more_passes_and_gives_a_smaller_error():
    passes, errors = [], []
    for tolerance in (0.03, 0.003, 0.0005):
        found, error = next(true_errors("smooth", 10.0, tolerance, ["rsi_grad_cam"], 2, max_passes=400))
        passes.append(found.passes.double().mean().item())
        errors.append(error.mean().item())
    assert passes == sorted(passes)
    assert passes[0] < passes[2]
    assert errors[2] < errors[0]


def test_the_points_go_to_where_the_score_changes():
    """The score rises within the first few hundredths of the path: most points belong there."""
    model, x = Scaled(network("smooth"), 60.0), images(1)
    found = explain(model, x, "network.tanh1", "rsi_grad_cam", None, zeros(), tolerance=0.002)
    course = found.course[0]
    alphas, scores = torch.tensor(course.alphas), torch.tensor(course.scores)
    steepest = (scores.diff() / alphas.diff()).abs().argmax()
    assert alphas.diff()[steepest] < 1 / 32
    assert alphas.diff().max() >= 1 / 8


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cap", [8, 9, 12, 20])
def test_reaching_the_cap_is_reported_and_the_cap_is_kept(method, cap):
    model, x = network("plain", factor=20.0), images(3)
    found = explain(model, x, "features.2", method, None, zeros(), tolerance=1e-7, max_passes=cap)
    assert (found.passes <= cap).all()
    assert not found.converged.any()
    assert (found.error > 1e-7).all()
    assert found.tolerance == 1e-7
    for row in range(3):
        assert "path too coarse" in [each.cause for each in diagnose(found, row)]


def test_several_baselines_keep_to_the_cap_together():
    x = images(1)
    found = explain(
        network("plain", factor=20.0),
        x,
        "features.2",
        "rsi_grad_cam",
        1,
        Sample(images(12), 12),
        tolerance=1e-7,
        max_passes=40,
    )
    assert found.passes.item() <= 40


@pytest.mark.parametrize("precision", ["auto", "float32"])
@pytest.mark.parametrize("tolerance", [0.05, 0.005])
@pytest.mark.parametrize("method", METHODS)
def test_passes_are_counted_as_the_model_sees_them(method, tolerance, precision):
    model = Counting(network("smooth", dtype=torch.float32, factor=6.0))
    x, options = images(1, dtype=torch.float32), {"tolerance": tolerance, "precision": precision}
    explain(model, x, "network.tanh1", method, 1, zeros(), **options)  # finds out what it does once for a model
    model.images = 0
    found = explain(model, x, "network.tanh1", method, 1, zeros(), **options)
    assert found.passes.tolist() == [model.images]


def test_each_image_of_a_batch_stops_by_itself():
    model = Scaled(network("plain"), 20.0)
    found = explain(model, images(8), "network.features.5", "rsi_grad_cam", None, zeros(), tolerance=0.01)
    assert found.converged.all()
    assert len(set(found.passes.tolist())) > 1


def test_a_linear_network_is_settled_at_once_and_exactly():
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()).double()
    found = explain(model, images(1), "0", "rsi_hires_cam", Logit(1), zeros(), tolerance=0.01)
    assert found.passes.item() <= 9
    assert found.residual.abs().item() < 1e-12
    assert found.converged.all()


def test_where_nothing_changes_the_map_is_zero_and_settled():
    model, x = network("plain"), images(1)
    found = explain(model, x, "features.5", "rsi_grad_cam", 1, x[0], tolerance=0.01)
    assert found.raw.abs().max() == 0
    assert found.converged.all()
    assert found.passes.item() <= 9


class Jumps(nn.Module):
    """A score that jumps where the path crosses a brightness, as a hard decision inside a network makes it."""

    def __init__(self, network, at):
        super().__init__()
        self.network, self.at = network, at

    def forward(self, x):
        jump = (x.flatten(1).abs().mean(1) > self.at).to(x)
        return self.network(x) + jump[:, None] * torch.arange(5, dtype=x.dtype)


@pytest.mark.parametrize("cap", [129, 400])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "rsi_hires_cam", "integrated_grad_cam"])
def test_a_score_that_jumps_is_no_reason_to_break(method, dtype, cap):
    x = images(1, dtype=dtype)
    at = 0.3 * x.abs().mean().item()
    model = Jumps(network("smooth", dtype=dtype), at)
    found = explain(
        model, x, "network.tanh1", method, 1, zeros(), tolerance=1e-6, max_passes=cap, precision="float32"
    )
    assert torch.isfinite(found.raw).all()
    assert found.passes.item() <= cap


def test_where_the_score_rises_between_two_points_that_both_are_flat_the_heatmap_is_right():
    """Saturated at all the points that are looked at first but for the baseline."""
    model, x = Scaled(network("smooth"), 400.0), images(6)
    exact = explain(model, x, "network.tanh1", "rsi_grad_cam", None, zeros(), steps=2048)
    assert ((exact.score - exact.baseline_score) > 0.5).any()
    found = explain(model, x, "network.tanh1", "rsi_grad_cam", None, zeros(), tolerance=0.01)
    error = (found.normalised - exact.normalised).abs().mean((1, 2))
    assert ((error <= 0.01) | ~found.converged).all(), (error, found.error, found.passes)


def test_a_settled_heatmap_whose_integral_misses_the_change_of_the_score_is_not_passed_over_in_silence():
    model, x = Scaled(network("smooth"), 400.0), images(6)
    found = explain(model, x, "network.tanh1", "rsi_grad_cam", None, zeros(), tolerance=0.01)
    change = found.score - found.baseline_score
    for row in range(6):
        if abs(found.residual[row] / change[row]) > 0.1:
            assert "incomplete" in [each.cause for each in diagnose(found, row)]


def test_one_sweep_to_a_tolerance_keeps_every_map_within_it():
    model, x = Scaled(network("residual"), 1.5), images(2)
    layers = ["network.stem", "network.stage1", "network.stage2"]
    found = explain_all(model, x, layers, METHODS[:3], None, zeros(), tolerance=0.01)
    exact = explain_all(model, x, layers, METHODS[:3], None, zeros(), steps=1024)
    for key, each in found.items():
        error = (each.normalised - exact[key].normalised).abs().mean((1, 2))
        assert each.converged.all()
        assert (error <= 0.01).all(), (key, error)


def test_with_a_tolerance_the_rule_is_no_matter():
    model, x = network("smooth"), images(1)
    one, other = (
        explain(model, x, "tanh1", RSIGradCAM(rule), 1, zeros(), tolerance=0.01) for rule in ("right", "left")
    )
    agree(one.signed, other.signed, 1e-12)


def test_neither_steps_nor_tolerance_means_a_tolerance_of_a_hundredth():
    found = explain(network("smooth"), images(1), "tanh1", "rsi_grad_cam", 1, zeros())
    assert found.tolerance == 0.01
    assert found.converged.all()


class Switch(nn.Module):
    """A score that jumps somewhere along the path, and hardly moves elsewhere."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 1)
        nn.init.constant_(self.conv.weight, 1 / 3)
        nn.init.zeros_(self.conv.bias)

    def forward(self, x):
        A = self.conv(x)
        left, right = A[:, 0, :, :8].mean((1, 2)), A[:, 1, :, 8:].mean((1, 2))
        z = 0.1 * left + 5 * torch.sigmoid(3000 * (right - 0.3))
        return torch.stack([z, torch.zeros_like(z)], 1)


@pytest.mark.parametrize("method", ["rsi_grad_cam", "rsi_hires_cam", "integrated_grad_cam", "integrated_gradients"])
@pytest.mark.parametrize("max_passes", [9, 129])
def test_a_map_whose_integrals_miss_most_of_the_score_is_not_called_settled(method, max_passes):
    model, x = Switch().double(), torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(0)).double()
    e = explain(model, x, "conv", method, 0, torch.zeros(3, 16, 16), tolerance=0.01, max_passes=max_passes)
    exact = explain(model, x, "conv", method, 0, torch.zeros(3, 16, 16), steps=20000, batch_size=512)
    off = float((e.normalised - exact.normalised).abs().mean())
    assert e.converged == (max_passes == 129)
    assert off < 0.02 if e.converged else e.error >= 1
    if not e.converged:
        assert "path too coarse" in [found.cause for found in diagnose(e)]


@pytest.mark.parametrize(("count", "max_passes"), [(3, 20), (10, 60)])
def test_no_more_passes_are_made_than_allowed_with_several_baselines_either(count, max_passes):
    data = torch.rand(count, 3, 16, 16, generator=torch.Generator().manual_seed(0)).double()
    e = explain(
        network("plain"), images(1), "features.5", "rsi_grad_cam", 1, Sample(data, count), tolerance=1e-9,
        max_passes=max_passes,
    )  # fmt: skip
    assert e.passes <= max_passes


def test_more_baselines_than_passes_allow_are_refused():
    data = torch.rand(10, 3, 16, 16).double()
    with pytest.raises(ConfigurationError, match=r"10 baselines need at least 21 passes .* max_passes=20"):
        explain(network("plain"), images(1), "features.5", baseline=Sample(data, 10), max_passes=20)
