from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import explain, explain_all, precision
from tests.networks import CUTS, DETOURS, Counting, images, network, zeros
from tests.state import unchanged


class DtypeWatching(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def forward(self, x):
        self.seen.add(x.dtype)
        return x


@pytest.fixture
def bfloat16_pays(monkeypatch):
    """As on hardware that is fast in bfloat16: it works everywhere, but slowly."""
    monkeypatch.setattr(precision, "bfloat16_is_fast", lambda device: True)


def watched():
    model = network("plain", dtype=torch.float32)
    below, above = DtypeWatching(), DtypeWatching()
    model.features = nn.Sequential(*model.features[:2], below, *model.features[2:], above)
    return model, below, above, "features.6"


@pytest.mark.usefixtures("bfloat16_pays")
def test_below_the_layer_it_may_run_in_bfloat16_and_above_never():
    model, below, above, layer = watched()
    found = explain(model, images(2, dtype=torch.float32), layer, "rsi_grad_cam", 1, zeros(), tolerance=0.05)
    assert torch.float32 in below.seen  # the image itself is looked at in full
    assert above.seen == {torch.float32}
    assert found.raw.dtype == torch.float32
    if torch.bfloat16 in below.seen and found.precision != "float32":
        assert found.precision == "bfloat16 below the layer"


@pytest.mark.usefixtures("bfloat16_pays")
@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "smooth", "shared_relu"])
@pytest.mark.parametrize("tolerance", [0.01, 0.03])
def test_what_it_costs_is_within_the_tolerance(kind, tolerance):
    x, layer = images(3), CUTS[kind][-1]
    model = network(kind, dtype=torch.float32)
    exact = explain(network(kind), x, layer, "rsi_grad_cam", None, zeros(), steps=1024)
    found = explain(model, x.float(), layer, "rsi_grad_cam", exact.classes, zeros(), tolerance=tolerance)
    error = (found.normalised - exact.normalised).abs().mean((1, 2))
    assert found.converged.all()
    assert (error <= tolerance).all(), (found.precision, error)


@pytest.mark.usefixtures("bfloat16_pays")
@pytest.mark.parametrize(
    "options", [{"steps": 4}, {"tolerance": 0.05, "precision": "float32"}, {"preset": "paper", "steps": 4}]
)
def test_with_fixed_steps_or_when_told_so_all_is_float32(options):
    model, below, _, layer = watched()
    found = explain(model, images(1, dtype=torch.float32), layer, "rsi_grad_cam", 1, zeros(), **options)
    assert below.seen == {torch.float32}
    assert found.precision == "float32"


@pytest.mark.usefixtures("bfloat16_pays")
def test_a_model_in_float64_stays_in_float64_and_says_so():
    found = explain(network("plain"), images(1), "features.5", "rsi_grad_cam", 1, zeros(), tolerance=0.05)
    assert found.raw.dtype == torch.float64
    assert found.precision == "float64"


@pytest.mark.usefixtures("bfloat16_pays")
@pytest.mark.parametrize("method", ["integrated_gradients", "neuron_conductance", "neuron_integrated_gradients"])
def test_where_the_gradient_is_wanted_at_the_input_nothing_is_rounded(method):
    model, below, _, layer = watched()
    found = explain(model, images(1, dtype=torch.float32), layer, method, 1, zeros(), tolerance=0.05)
    assert below.seen == {torch.float32}
    assert found.precision == "float32"


@pytest.mark.usefixtures("bfloat16_pays")
def test_a_small_tolerance_falls_back_to_float32_by_itself():
    model, x = network("smooth", dtype=torch.float32), images(1, dtype=torch.float32)
    found = explain(model, x, "tanh2", "rsi_grad_cam", None, zeros(), tolerance=1e-4, max_passes=400)
    assert found.raw.max() > 0
    assert found.precision == "float32"


@pytest.mark.usefixtures("bfloat16_pays")
def test_a_layer_that_is_sensitive_to_rounding_falls_back_to_float32_by_itself():
    """Its output is a small difference of large numbers: in bfloat16 nothing of it is left."""

    class Difference(nn.Module):
        def __init__(self):
            super().__init__()
            self.one = nn.Conv2d(3, 4, 3, 2, 1)
            self.layer = nn.Identity()
            self.head = nn.Linear(4, 5)

        def forward(self, x):
            large = 1000 + self.one(x)
            return self.head(20 * self.layer(self.one.weight.new_ones(1, 4, 1, 1) * large - 1000).mean((2, 3)))

    model, x = Difference(), images(1, dtype=torch.float32)
    exact = explain(model.double(), x.double(), "layer", "rsi_grad_cam", 1, zeros(), steps=512)
    found = explain(model.float(), x, "layer", "rsi_grad_cam", 1, zeros(), tolerance=0.01)
    assert (found.normalised - exact.normalised).abs().mean() <= 0.01


@pytest.mark.usefixtures("bfloat16_pays")
def test_half_precision_leaves_nothing_behind():
    model, x = network("residual", dtype=torch.float32).train(), images(2, dtype=torch.float32)
    with unchanged(model):
        explain_all(model, x, ["stage1", "stage2"], ["rsi_grad_cam", "grad_cam"], None, zeros(), tolerance=0.05)


@pytest.mark.usefixtures("bfloat16_pays")
def test_an_error_in_half_precision_leaves_nothing_behind():
    class Breaks(nn.Module):
        def forward(self, x):
            if torch.is_autocast_enabled("cpu"):
                raise ZeroDivisionError
            return x

    model, x = network("plain", dtype=torch.float32), images(1, dtype=torch.float32)
    model.features = nn.Sequential(Breaks(), *model.features)
    with unchanged(model), pytest.raises(ZeroDivisionError):
        explain(model, x, "features.6", "rsi_grad_cam", 1, zeros(), tolerance=0.05)


BESIDE = [(kind, [layer]) for kind, layers in DETOURS.items() for layer in layers] + [
    ("parallel", DETOURS["parallel"])
]


@pytest.mark.usefixtures("bfloat16_pays")
@pytest.mark.parametrize(("kind", "layers"), BESIDE, ids=str)
def test_a_way_beside_the_layer_can_go_on_from_what_was_rounded_below(kind, layers):
    """From the layer up all is float32 again: what comes past it in bfloat16 must not meet float32 weights."""
    x = images(2)
    exact = explain(network(kind), x, layers, "rsi_grad_cam", 1, zeros(), steps=512)
    found = explain(network(kind, dtype=torch.float32), x.float(), layers, "rsi_grad_cam", 1, zeros(), tolerance=0.01)
    for each, wanted in zip(found, exact, strict=True):
        assert ((each.normalised - wanted.normalised).abs().mean((1, 2)) <= 0.01).all()


def test_a_batch_and_its_images_alone_agree_within_the_tolerance_in_any_precision():
    model, x = network("plain", dtype=torch.float32), images(4, dtype=torch.float32)
    together = explain(model, x, "features.5", "rsi_grad_cam", None, zeros(), tolerance=0.01)
    for row in range(4):
        alone = explain(model, x[row : row + 1], "features.5", "rsi_grad_cam", None, zeros(), tolerance=0.01)
        assert (alone.normalised[0] - together.normalised[row]).abs().mean() <= 0.02


def test_a_counted_pass_in_half_precision_is_a_pass():
    model = Counting(network("plain", dtype=torch.float32))
    x = images(1, dtype=torch.float32)
    for _ in range(2):
        model.images = 0
        found = explain(model, x, "network.features.5", "rsi_grad_cam", 1, zeros(), tolerance=0.02)
    assert found.passes.item() == model.images


@pytest.mark.usefixtures("bfloat16_pays")
def test_it_is_found_out_anew_when_the_weights_have_changed():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.Flatten(2), Means(), nn.Linear(8, 5))
    x = 2 * images(1, dtype=torch.float32) - 1
    assert precision.holds_half(model, x, ("2",))
    with torch.no_grad():  # all contrast below the last digits of bfloat16
        model[0].weight.mul_(0.002)
        model[0].bias.fill_(8)
    assert not precision.holds_half(model, x, ("2",))


class Means(nn.Module):
    def forward(self, x):
        return x.mean(2)


@pytest.mark.usefixtures("bfloat16_pays")
def test_an_image_that_cannot_bear_it_takes_no_other_with_it(monkeypatch):
    """The batch gives what its images give alone, whichever of them falls back."""
    from rsi_gradcam import adaptive

    model, x = network("plain", dtype=torch.float32), images(3, dtype=torch.float32)
    rounding, limit = adaptive.rounding, adaptive.DOUBT * 0.05

    def one_of_three(job, wanted, group, row, start, end):
        bears = int(group.rows[row]) != 1
        return rounding(job, wanted, group, row, start, end) and (limit / 2 if bears else 2 * limit)

    monkeypatch.setattr(precision, "holds_half", lambda *_: True)
    monkeypatch.setattr("rsi_gradcam.run.holds_half", lambda *_: True)
    monkeypatch.setattr(adaptive, "rounding", one_of_three)
    together = explain(model, x, "features.5", "rsi_hires_cam", 1, zeros(), tolerance=0.05)
    exact = explain(model, x, "features.5", "rsi_hires_cam", 1, zeros(), tolerance=0.05, precision="float32")
    assert together.precision == "bfloat16 below the layer"
    away = (together.signed - exact.signed).abs().amax((1, 2)) / exact.signed.abs().amax((1, 2))
    assert away[1] < 1e-5  # float32, in a batch of another size
    assert away[0] > 1e-4
    assert away[2] > 1e-4
    assert together.passes[1] > together.passes[0]
