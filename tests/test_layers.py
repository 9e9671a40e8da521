from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import Logit, Unit, diagnose, explain, explain_all
from rsi_gradcam.errors import LayerError
from tests.networks import CUTS, DETOURS, KINDS, Scaled, TwoHeads, images, network, zeros

ALL_CUTS = [(kind, layer) for kind, layers in CUTS.items() for layer in layers]
ALL_DETOURS = [(kind, layer) for kind, layers in DETOURS.items() for layer in layers]


@pytest.mark.parametrize(("kind", "layer"), ALL_CUTS)
def test_at_a_cut_the_map_adds_up_to_the_change_of_the_score(kind, layer):
    model, x = network(kind), images(2)
    found = explain(model, x, layer, "rsi_hires_cam", None, zeros(), steps=512)
    assert found.is_cut is True
    change = found.score - found.baseline_score
    assert (found.signed.sum((1, 2)) - change - found.residual).abs().max() < 1e-12
    assert (found.residual.abs() <= 0.01 * change.abs().max()).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_residual_goes_to_zero_as_the_steps_go_up(kind):
    model, x, layer = network(kind, seed=1), images(1, seed=1), CUTS[kind][0]
    left = [
        explain(model, x, layer, "rsi_hires_cam", 1, zeros(), steps=steps).residual.abs().item()
        for steps in (8, 128, 1024)
    ]
    assert left[2] < left[0] / 8
    assert left[1] < left[0]


@pytest.mark.parametrize(("rule", "order"), [("left", 1), ("right", 1), ("trapezoid", 2), ("midpoint", 2)])
@pytest.mark.parametrize("method", ["RSIHiResCAM", "LayerIntegratedGradients", "IntegratedGradients"])
def test_doubling_the_steps_divides_the_error_by_two_to_the_order(method, rule, order):
    from rsi_gradcam import methods

    model, x = network("smooth"), images(1)
    kind = getattr(methods, method)
    exact = explain(model, x, "tanh1", kind("trapezoid"), 1, zeros(), steps=2048).signed
    coarse, fine = (
        (explain(model, x, "tanh1", kind(rule), 1, zeros(), steps=steps).signed - exact).abs().mean().item()
        for steps in (32, 64)
    )
    assert coarse / fine == pytest.approx(2**order, rel=0.15)


@pytest.mark.parametrize(("kind", "layer"), ALL_DETOURS)
def test_a_layer_that_can_be_gone_round_is_no_cut_and_its_map_does_not_add_up(kind, layer):
    model, x = network(kind), images(3)
    found = explain(model, x, layer, "rsi_hires_cam", None, zeros(), steps=256)
    assert found.is_cut is False
    assert found.residual.abs().max() > 0.01


@pytest.mark.parametrize("seed", range(6))
def test_on_random_deep_networks_every_layer_of_the_trunk_is_a_cut(seed):
    generator = torch.Generator().manual_seed(seed)
    layers, channels = [], 3
    for _ in range(6):
        width = int(torch.randint(2, 7, (1,), generator=generator))
        kind = [nn.ReLU(inplace=True), nn.Tanh(), nn.GELU(), nn.SiLU(inplace=True)]
        activation = kind[int(torch.randint(0, 4, (1,), generator=generator))]
        layers += [nn.Conv2d(channels, width, 3, padding=1), activation]
        channels = width
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(4 * channels, 4)).double()
        for module in model.modules():
            if isinstance(module, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(module.weight)
    x = images(2, seed=seed)
    names = [str(place) for place in range(12)]
    change = None
    for each in explain(model.eval(), x, names, "rsi_hires_cam", 1, zeros(), steps=200):
        assert each.is_cut is True
        change = each.score - each.baseline_score
        assert (each.residual.abs() <= 0.02 * change.abs().max()).all(), each.layer
    assert change is not None


def test_an_image_of_zeros_does_not_make_a_cut_of_every_layer():
    """It is its own negative: what is compared to find out must not be the same image twice."""
    model, nothing = network("residual"), torch.zeros(1, 3, 16, 16, dtype=torch.float64)
    first = explain(model, nothing, "stage1.conv1", "rsi_hires_cam", 1, images(1), steps=2)
    later = explain(model, images(1), "stage1.conv1", "rsi_hires_cam", 1, zeros(), steps=2)
    assert (first.is_cut, later.is_cut) == (False, False)


def test_whether_a_layer_is_a_cut_hangs_on_what_is_explained():
    model, x = TwoHeads().double(), images(1)
    one, both = (lambda output: output[0][:, 1]), (lambda output: output[0][:, 1] + output[1])
    assert explain(model, x, "first", "rsi_hires_cam", one, zeros(), steps=2).is_cut is True
    assert explain(model, x, "first", "rsi_hires_cam", both, zeros(), steps=2).is_cut is False


def test_whether_a_layer_is_a_cut_is_found_anew_when_the_weights_have_changed():
    """A way round whose weight starts at 0, as that of a fresh residual branch may, is one after training."""

    class Gate(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer, self.other = nn.Conv2d(3, 5, 3, 2, 1), nn.Conv2d(3, 5, 3, 2, 1)
            self.share = nn.Parameter(torch.zeros(()))

        def forward(self, x):
            return (self.layer(x) + self.share * self.other(x)).tanh().mean((2, 3))

    model, x = Gate().double(), images(1)
    assert explain(model, x, "layer", "rsi_hires_cam", 1, zeros(), steps=2).is_cut is True
    with torch.no_grad():
        model.share += 1.0
    assert explain(model, x, "layer", "rsi_hires_cam", 1, zeros(), steps=2).is_cut is False


def test_the_input_is_always_a_cut():
    found = explain(network("residual"), images(1), "input", "integrated_gradients", 1, zeros(), steps=2)
    assert found.is_cut is True


def test_a_saturated_output_does_not_hide_a_way_round():
    """Both images have the same probabilities, all but 1 and 0: the logits tell them apart."""
    found = explain(
        Scaled(network("residual"), 100.0), images(1), "network.stage1.conv1", "rsi_grad_cam", 1, zeros(), steps=2
    )
    assert found.is_cut is False


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("features.9", "features.5"),
        ("featurs.5", "features.5"),
        ("feature", "features"),
        ("Features.2", "features.2"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(name, meant):
    with pytest.raises(LayerError, match=f"did you mean .*{meant}"):
        explain(network("plain"), images(1), name, "grad_cam")


def test_only_layers_that_can_carry_a_map_are_offered():
    with pytest.raises(LayerError) as caught:
        explain(network("plain"), images(1), "classifier.9", "grad_cam")
    assert "classifier.0" not in str(caught.value).split("did you mean")[-1]
    assert "features" in str(caught.value)


def test_a_model_without_any_spatial_layer_is_refused():
    model = nn.Sequential(nn.Flatten(), nn.Linear(768, 5)).double()
    with pytest.raises(LayerError, match="no layer of this model has a spatial output"):
        explain(model, images(1), method="grad_cam")


def test_a_tiny_score_does_not_hide_a_way_round():
    """The probability of a class without a chance, written as a function: what differs differs far below 1e-6."""
    model, x = Scaled(network("residual"), 1.0), images(1)
    last = model(x).argmin(1).item()

    def probability(output):
        return output.softmax(1)[:, last]

    found = explain(model, x, "network.stage1.conv1", "rsi_grad_cam", probability, zeros(), steps=2)
    assert 0 < found.score.item() < 1e-9
    assert found.is_cut is False


class Branching(nn.Module):
    """`a` is a cut of what lies in the branch, and none of the output."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.a, self.b = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)
        self.skip, self.head = nn.Conv2d(3, 8, 1), nn.Linear(8, 5)

    def forward(self, x):
        return self.head((self.b(self.a(x).tanh()) + self.skip(x)).relu().mean((2, 3)))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_whether_a_layer_is_a_cut_is_told_of_each_target(order):
    targets = [Logit(1), Unit("b", (0, 5, 5))]
    found = explain_all(
        Branching().double(),
        images(1),
        ["a"],
        ["rsi_grad_cam"],
        targets=[targets[i] for i in order],
        baseline=zeros(),
    )
    assert found["rsi_grad_cam", "a", targets[0]].is_cut is False
    assert found["rsi_grad_cam", "a", targets[1]].is_cut is True


def test_a_part_of_the_model_may_be_called_module():
    class Wrapper(nn.Module):
        def __init__(self):
            super().__init__()
            self.module = network("plain")

        def forward(self, x):
            return self.module(x)

    inner = explain(network("plain"), images(1), "features.5", "grad_cam", 1)
    for layer in ("module.features.5", None):
        found = explain(Wrapper(), images(1), layer, "grad_cam", 1)
        assert found.layer.startswith("module.")
    assert torch.equal(explain(Wrapper(), images(1), "module.features.5", "grad_cam", 1).raw, inner.raw)


class ChannelsLast(nn.Module):
    def forward(self, x):
        return x.permute(0, 2, 3, 1)


class Attention(nn.Module):
    """Tokens by features for each head, as inside a transformer."""

    def forward(self, x):
        return x.flatten(2).reshape(len(x), 2, -1, 64).repeat(1, 1, 5, 1)[:, :, :17]


def transformer_like():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 16, 4, 4), ChannelsLast(), nn.LayerNorm(16), Attention(), nn.Flatten(), nn.Linear(2 * 17 * 64, 5)
    ).double()


@pytest.mark.parametrize("layer", ["1", "2"])
def test_channels_at_the_end_are_no_map(layer):
    x = images(1, size=32)
    with pytest.raises(LayerError, match=r"channels last: shape \(1, 8, 8, 16\).*; layers that can: 0$"):
        explain(transformer_like(), x, layer, "grad_cam", 1)


def test_tokens_by_features_are_not_chosen_and_are_told_of_when_asked_for():
    x = images(1, size=32)
    assert explain(transformer_like(), x, None, "grad_cam", 1).layer == "0"
    found = explain(transformer_like(), x, "3", "grad_cam", 1)
    assert "wrong layer" in [each.cause for each in diagnose(found)]
    assert "17×64" in str(diagnose(found))


@pytest.mark.parametrize("layer", ["classifier.0", "flatten"])
def test_a_layer_that_is_refused_comes_with_others_that_would_do(layer):
    with pytest.raises(LayerError, match=r"; layers that can: .*features\.5"):
        explain(network("plain"), images(1), layer, "grad_cam", 1)


def test_a_list_of_layers_gives_a_map_for_each_as_asked():
    model, x = network("plain"), images(1)
    at_input = explain(model, x, ["features.2", "features.5"], "integrated_gradients", 1, zeros(), steps=2)
    assert [each.layer for each in at_input] == ["input", "input"]
    twice = explain(model, x, ["features.5", model.features[5]], "grad_cam", 1)
    assert [each.layer for each in twice] == ["features.5", "features.5"]
