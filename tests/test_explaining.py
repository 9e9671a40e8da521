from __future__ import annotations

import warnings

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from rsi_gradcam import GradCAM, Logit, Mean, RSIGradCAM, Unit, explain, explain_all
from rsi_gradcam.baselines import Blur
from rsi_gradcam.errors import ModelError
from rsi_gradcam.methods import LayerConductance
from tests.agreement import agree, apart
from tests.networks import CUTS, DETOURS, KINDS, LAST, Counting, images, network, zeros

# One of each family, and of each site.
METHODS = [
    "grad_cam",
    "hires_cam",
    "rsi_grad_cam",
    "integrated_grad_cam",
    "rsi_hires_cam",
    "integrated_gradients",
    "layer_integrated_gradients",
    "neuron_conductance",
    "neuron_integrated_gradients",
    "score_cam",
]
OF_LAYERS = [name for name in METHODS if name != "integrated_gradients" and not name.startswith("neuron")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_gives_what_its_images_give_alone(kind):
    model, x, classes = network(kind), images(4), [1, 3, 0, 2]
    together = explain_all(model, x, [LAST[kind]], METHODS, classes, zeros(), steps=4)
    for row, index in enumerate(classes):
        alone = explain_all(model, x[row : row + 1], [LAST[kind]], METHODS, index, zeros(), steps=4)
        for key, found in together.items():
            agree(found.signed[row], alone[key].signed[0], 1e-10)
            agree(found.heatmap[row], alone[key].heatmap[0], 1e-8)
            for number in ("score", "baseline_score", "residual", "error", "passes", "cancellation"):
                one, other = getattr(found, number)[row].item(), getattr(alone[key], number)[0].item()
                assert one == pytest.approx(other, rel=1e-7, abs=1e-12, nan_ok=True), number


@pytest.mark.parametrize("kind", ["plain", "smooth"])
def test_a_batch_gives_what_its_images_give_alone_to_a_tolerance_too(kind):
    model, x = network(kind, factor=6.0), images(4)
    methods = ["rsi_grad_cam"]
    together = explain_all(model, x, [LAST[kind]], methods, None, zeros(), tolerance=0.004)
    for row in range(4):
        alone = explain_all(model, x[row : row + 1], [LAST[kind]], methods, None, zeros(), tolerance=0.004)
        for key, found in together.items():
            agree(found.signed[row], alone[key].signed[0], 1e-10)
            assert found.passes[row] == alone[key].passes[0]
            assert found.course[row].alphas == alone[key].course[0].alphas


@st.composite
def settings_of_a_network(draw):
    return {
        "channels": (draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 4))),
        "kernel": draw(st.integers(1, 3)),
        "stride": draw(st.integers(1, 2)),
        "size": (draw(st.integers(4, 13)), draw(st.integers(4, 13))),
        "classes": draw(st.integers(2, 5)),
        "batch": draw(st.integers(1, 4)),
        "dtype": draw(st.sampled_from([torch.float32, torch.float64])),
        "seed": draw(st.integers(0, 1000)),
    }


def drawn_network(channels, kernel, stride, size, classes, dtype, seed):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        lower = nn.Sequential(
            nn.Conv2d(channels[0], channels[1], kernel, stride),
            nn.ReLU(inplace=True),
            nn.Conv2d(*channels[1:], 1),
            nn.Tanh(),
        )
        units = lower(torch.zeros(1, channels[0], *size)).numel()
        model = nn.Sequential(*lower, nn.Flatten(), nn.Linear(units, classes)).to(dtype)
        return model.eval(), torch.randn(8, channels[0], *size).to(dtype)


@given(settings_of_a_network())
def test_any_shape_batch_and_dtype_gives_maps_of_the_right_shape_that_singles_give_too(drawn):
    batch = drawn.pop("batch")
    model, x = drawn_network(**drawn)
    x, start, dtype, size = x[:batch], x[7], drawn["dtype"], drawn["size"]
    layers, methods = ["0", "2"], [*OF_LAYERS, "integrated_gradients"]
    found = explain_all(model, x, layers, methods, None, start, steps=2)
    close = 1e-9 if dtype == torch.float64 else 1e-3
    shapes = {"0": model[:1](x).shape[-2:], "2": model[:3](x).shape[-2:], "input": size}
    for (method, layer), each in found.items():
        assert each.raw.shape == (batch, *shapes[layer]), method
        assert each.raw.dtype == each.heatmap.dtype == dtype
        assert each.heatmap.shape == (batch, *size)
        assert each.heatmap.min() >= 0
        assert each.heatmap.max() <= 1 + 1e-6
        assert torch.isfinite(each.raw).all()
        assert not each.raw.requires_grad
    last = explain_all(model, x[-1:], layers, methods, None, start, steps=2)
    for key, each in found.items():
        scale = each.signed[-1].abs().max().item()
        assert (each.signed[-1] - last[key].signed[0]).abs().max().item() <= close * max(scale, 1e-3), key


@pytest.mark.parametrize("kind", KINDS)
def test_one_sweep_gives_what_the_methods_give_one_by_one(kind):
    model, x = network(kind), images(2)
    layers = [CUTS[kind][0], LAST[kind]]
    found = explain_all(model, x, layers, OF_LAYERS, [1, 3], zeros(), steps=4)
    assert len(found) == len(layers) * len(OF_LAYERS)
    for (method, layer), each in found.items():
        alone = explain(model, x, layer, method, [1, 3], zeros(), steps=4)
        agree(each.signed, alone.signed, 1e-10)
        agree(each.residual.nan_to_num(), alone.residual.nan_to_num(), 1e-6)
        assert each.is_cut is alone.is_cut


@pytest.mark.parametrize("kind", KINDS)
def test_several_targets_at_once_give_what_they_give_one_by_one(kind):
    model, x = network(kind), images(3)
    targets = [0, Logit(), Logit(2), Unit(LAST[kind], (0, 1, 1)), lambda output: output[:, 0] * output[:, 1]]
    methods = ["grad_cam", "rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"]
    layer = CUTS[kind][0]
    found = explain_all(model, x, [layer], methods, targets=targets, baseline=zeros(), steps=3)
    at = {method: "input" if method == "integrated_gradients" else layer for method in methods}
    assert list(found) == [(method, at[method], target) for method in methods for target in targets]
    for (method, _, target), each in found.items():
        alone = explain(model, x, layer, method, target, zeros(), steps=3)
        agree(each.signed, alone.signed, 1e-10)
        agree(each.score, alone.score, 1e-12)


def test_the_predicted_class_can_be_one_of_several_targets():
    found = explain_all(network("plain"), images(2), ["features.5"], ["grad_cam"], targets=[0, None])
    assert list(found) == [("grad_cam", "features.5", 0), ("grad_cam", "features.5", None)]


@pytest.mark.parametrize("kind", ["residual", "parallel", "plain"])
def test_several_layers_at_once_give_what_they_give_one_by_one(kind):
    model, x = network(kind), images(2)
    layers = [*CUTS[kind], *DETOURS.get(kind, [])]
    for order in (layers, layers[::-1]):
        found = explain(model, x, order, "rsi_hires_cam", 1, zeros(), steps=3)
        for layer, each in zip(order, found, strict=True):
            alone = explain(model, x, layer, "rsi_hires_cam", 1, zeros(), steps=3)
            assert each.layer == layer
            agree(each.signed, alone.signed, 1e-10)
            assert each.is_cut is alone.is_cut


@pytest.mark.parametrize("rules", [("right", "midpoint"), ("left", "trapezoid", "right", "midpoint")])
def test_methods_with_different_rules_can_share_one_sweep(rules):
    model, x = network("plain"), images(2)
    methods = [LayerConductance(rule) for rule in rules]
    found = explain_all(model, x, ["features.5"], methods, 1, zeros(), steps=6)
    for method in methods:
        alone = explain(model, x, "features.5", method, 1, zeros(), steps=6)
        agree(found[method, "features.5"].signed, alone.signed, 1e-12)
        agree(found[method, "features.5"].error, alone.error, 1e-9)


@pytest.mark.parametrize("batch_size", [1, 2, 3, 7, 100])
def test_how_many_images_the_model_gets_at_once_does_not_matter(batch_size):
    model, x, classes = network("plain"), images(5), [1, 3, 0, 2, 4]
    reference = explain_all(model, x, ["features.2", "features.5"], OF_LAYERS, classes, zeros(), steps=4)
    watched = Counting(model)
    found = explain_all(
        watched,
        x,
        ["network.features.2", "network.features.5"],
        OF_LAYERS,
        classes,
        zeros(),
        steps=4,
        batch_size=batch_size,
    )
    assert watched.largest <= batch_size
    for each, wanted in zip(found.values(), reference.values(), strict=True):
        agree(each.signed, wanted.signed, 1e-10)
        assert each.classes == wanted.classes


@pytest.mark.parametrize("baseline", [Mean(), Blur(2.0), images(30, seed=5)], ids=["mean", "blur", "tensor"])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_each_image_keeps_its_own_baseline_however_few_are_run_at_once(method, baseline):
    model, x = network("plain"), images(30)
    one, many = (explain(model, x, "features.2", method, 1, baseline, steps=2, batch_size=size) for size in (1, 100))
    agree(one.baseline_score, many.baseline_score, 1e-10)
    agree(one.signed, many.signed, 1e-10)


@given(scale=st.floats(0.01, 100))
def test_a_layer_that_is_rescaled_keeps_its_integrals(scale):
    """A → cA with the next weights divided by c: ∫ ∂y/∂A dA does not know of it, a gradient alone does."""
    x, scales = images(2), scale * torch.tensor([1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 0.1], dtype=torch.float64)
    model, other = network("pooled"), network("pooled")
    with torch.no_grad():
        other.second.weight *= scales.view(-1, 1, 1, 1)
        other.second.bias *= scales
        other.head.weight /= scales
    for layer in ("second", "relu2"):
        one, two = (
            explain_all(each, x, [layer], ["rsi_hires_cam", "rsi_grad_cam", "grad_cam"], [1, 3], zeros(), steps=4)
            for each in (model, other)
        )
        agree(two["rsi_hires_cam", layer].signed, one["rsi_hires_cam", layer].signed, 1e-10)
        agree(two["rsi_grad_cam", layer].weights, one["rsi_grad_cam", layer].weights, 1e-10)
        agree(two["grad_cam", layer].weights * scales, one["grad_cam", layer].weights, 1e-10)


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise"])
def test_bfloat16_weights_give_the_same_map_but_for_their_rounding(kind):
    exact, x = network(kind), images(2)
    half = network(kind, dtype=torch.bfloat16)
    for method in ("grad_cam", "rsi_grad_cam", "integrated_grad_cam", "rsi_hires_cam"):
        found = explain(half, x.bfloat16(), LAST[kind], method, 1, zeros(), steps=8)
        wanted = explain(exact, x, LAST[kind], method, 1, zeros(), steps=8)
        assert apart(found.raw.double(), wanted.raw) < 0.15
        assert found.heatmap.shape == (2, 16, 16)


@pytest.mark.parametrize("kind", ["plain", "residual"])
def test_under_a_callers_autocast_the_map_is_the_same_but_for_its_rounding(kind):
    model, x = network(kind, dtype=torch.float32), images(2, dtype=torch.float32)
    wanted = explain_all(model, x, [LAST[kind]], METHODS, 1, zeros(), steps=8)
    with torch.autocast("cpu", torch.bfloat16):
        found = explain_all(model, x, [LAST[kind]], METHODS, 1, zeros(), steps=8)
        assert torch.is_autocast_enabled("cpu")
    for key, each in found.items():
        assert apart(each.raw.double(), wanted[key].raw.double()) < 0.2, key


def test_a_layer_can_be_named_given_as_a_module_or_listed():
    model, x = network("plain"), images(1)
    named = explain(model, x, "features.5", "grad_cam", 1)
    module = explain(model, x, model.features[5], "grad_cam", 1)
    (listed,) = explain(model, x, ["features.5"], "grad_cam", 1)
    for other in (module, listed):
        assert other.layer == "features.5"
        assert torch.equal(other.raw, named.raw)


def test_without_a_layer_it_is_the_last_spatial_one():
    x = images(1)
    for kind, layer in (("plain", "features"), ("residual", "stage2"), ("shared_relu", "conv2"), ("pooled", "relu2")):
        model = network(kind)
        found = explain(model, x, method="grad_cam", target=1)
        assert found.raw.shape[-2:] != (1, 1)
        agree(found.signed, explain(model, x, layer, "grad_cam", 1).signed, 1e-12)


def test_a_method_can_be_named_or_configured_and_each_keeps_its_own_key():
    model, x = network("plain"), images(1)
    positive = RSIGradCAM(units="positive")
    found = explain_all(model, x, ["features.5"], ["rsi_grad_cam", positive, GradCAM(True)], 1, zeros(), steps=2)
    assert list(found) == [(each, "features.5") for each in ("rsi_grad_cam", positive, GradCAM(True))]
    assert [each.method for each in found.values()] == [RSIGradCAM(), positive, GradCAM(True)]


def test_the_keys_hold_layers_as_they_were_asked_for():
    model, x = network("plain"), images(1)
    found = explain_all(nn.DataParallel(model), x, ["module.features.5"], ["grad_cam"], 1)
    assert list(found) == [("grad_cam", "module.features.5")]


def test_methods_at_the_input_have_input_as_their_layer_in_the_keys():
    found = explain_all(network("plain"), images(1), ["features.5"], ["integrated_gradients"], 1, zeros(), steps=1)
    assert list(found) == [("integrated_gradients", "input")]
    assert found["integrated_gradients", "input"].raw.shape == (1, 16, 16)


def test_any_method_can_be_taken_at_the_input():
    model, x = network("plain"), images(1)
    found = explain_all(model, x, ["input"], ["rsi_hires_cam", "integrated_gradients"], 1, zeros(), steps=3)
    agree(found["rsi_hires_cam", "input"].raw, found["integrated_gradients", "input"].raw, 1e-12)


def test_a_module_called_input_is_not_mistaken_for_the_image():
    model = nn.Sequential()
    model.add_module("input", nn.Conv2d(3, 4, 3, stride=2))
    model.add_module("head", nn.Sequential(nn.Flatten(), nn.Linear(4 * 49, 3)))
    found = explain(model.double(), images(1), model.input, "grad_cam", 1)
    assert found.raw.shape == (1, 7, 7)


def test_a_data_parallel_model_is_explained_as_the_one_inside():
    model, x = network("residual"), images(2)
    wanted = explain(model, x, "stage2", "rsi_grad_cam", 1, zeros(), steps=3)
    for layer in ("stage2", "module.stage2", model.stage2):
        agree(explain(nn.DataParallel(model), x, layer, "rsi_grad_cam", 1, zeros(), steps=3).signed, wanted.signed)


def test_a_scripted_model_is_refused():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchScript is deprecated
        scripted = torch.jit.trace(network("smooth"), images(1))
    with pytest.raises(ModelError, match="TorchScript"):
        explain(scripted, images(1), "first", "grad_cam")


def test_the_course_is_the_score_along_the_path():
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "rsi_grad_cam", [1, 3], zeros(), steps=4)
    for row, index in enumerate((1, 3)):
        assert found.course[row].alphas == (0.0, 0.25, 0.5, 0.75, 1.0)
        path = torch.stack([alpha * x[row] for alpha in found.course[row].alphas])
        agree(torch.tensor(found.course[row].scores), model(path).softmax(1)[:, index].detach(), 1e-6)
    assert explain(model, x, "features.5", "grad_cam", 1).course == ()


def test_what_a_method_has_no_number_for_is_nan():
    found = explain(network("plain"), images(2), "features.5", "grad_cam", 1)
    assert found.residual.isnan().all()
    assert found.baseline_score.isnan().all()
    assert found.is_cut is None
    assert found.error.tolist() == [0.0, 0.0]
    assert found.passes.tolist() == [1, 1]
    assert found.converged.all()
