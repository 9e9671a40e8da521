from __future__ import annotations

import numpy as np
import pytest
import quantus
import torch

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics.randomisation import Randomisation, similarity
from tests.metrics.asking import PREPROCESS, measured, model, pixels, seeing, some_map
from tests.metrics.remade import Remade
from tests.oracles import correlation as oracle


class Given:
    """Maps for shares, that are given."""

    def __init__(self, maps):
        self.maps, self.seeds = maps, []

    def randomised(self, share, seed):
        self.seeds.append(seed)
        return self.maps[share]


def given(maps, metric, raw):
    network = model()
    return measured(metric, seeing(network, pixels(), raw.clamp(0, 1), again=Given(maps), raw=raw), network)


@pytest.mark.parametrize("alike", ["spearman", "pearson"])
def test_it_is_the_correlations_as_loops(alike):
    raw = some_map(0)
    maps = {0.3: raw + some_map(1), 0.6: raw.round() + some_map(2).round(), 1.0: some_map(3)}
    found = given(maps, Randomisation((0.3, 0.6, 1.0), alike), raw)
    expected = [getattr(oracle, alike)(raw.flatten().tolist(), L.flatten().tolist()) for L in maps.values()]
    assert found["curve"] == pytest.approx(expected, abs=1e-6)
    assert found[""] == pytest.approx(sum(map(abs, expected)) / 3, abs=1e-6)
    assert found["last"] == pytest.approx(abs(expected[2]), abs=1e-6)


def test_maps_by_hand():
    raw = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    maps = {1.0: torch.tensor([[1.0, 3.0], [2.0, 4.0]]), 0.5: 7 * raw}
    found = given(maps, Randomisation((1.0, 0.5)), raw)
    assert found["curve"] == pytest.approx([0.8, 1.0])
    assert (found[""], found["last"]) == pytest.approx((0.9, 0.8))


def test_of_the_sizes_alone():
    L, turned = torch.tensor([[1.0, -2.0, 3.0]]), torch.tensor([[-1.0, 2.0, -3.0]])
    assert similarity(L, turned) == pytest.approx(-1)
    assert similarity(L, turned, absolute=True) == pytest.approx(1)


def test_only_what_is_shown_is_compared():
    raw = torch.tensor([[1.0, 2.0], [-3.0, -4.0]])
    other = torch.tensor([[1.0, 2.0], [-9.0, -1.0]])
    assert given({1.0: other}, Randomisation((1.0,)), raw)["last"] == pytest.approx(1)


def test_a_network_that_lost_its_mind_has_another_map_and_one_that_did_not_the_same():
    again = Remade(model("residual"), pixels(1), "stage1", 2)
    seen = again.seen()
    found = measured(Randomisation(), seen, again.network)
    assert again.asked == 3
    assert found["last"] < 0.9
    unmoved = Given(dict.fromkeys((0.25, 0.5, 1.0), seen.raw))
    kept = seeing(again.network, seen.pixels, seen.heatmap, again=unmoved, raw=seen.raw)
    assert measured(Randomisation(seed=5), kept, again.network)[""] == pytest.approx(1)
    assert unmoved.seeds == [5, 5, 5]


def test_a_map_that_cannot_change_is_as_bad_as_can_be():
    ones = torch.ones(16, 16)
    found = given(dict.fromkeys((0.25, 0.5, 1.0), ones), Randomisation(), ones)
    assert found == Randomisation().worst()


def test_a_map_turned_inside_out_is_no_better_than_one_that_stayed():
    raw = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    found = given({0.5: raw, 1.0: 5 - raw}, Randomisation((0.5, 1.0)), raw)
    assert found["curve"] == pytest.approx([1, -1])
    assert (found[""], found["last"]) == pytest.approx((1, 1))


def test_a_randomised_network_that_says_nothing_has_nothing_in_common():
    assert given({1.0: torch.zeros(16, 16)}, Randomisation((1.0,)), some_map())["last"] == 0


@pytest.mark.parametrize("wrong", [{"shares": (0.0, 1.0)}, {"shares": ()}, {"alike": "ssim"}])
def test_a_wrong_convention_is_an_error(wrong):
    with pytest.raises(ConfigurationError, match=next(iter(wrong))):
        Randomisation(**wrong)


def edges(model, inputs, targets, **other):
    """An attribution that hangs on the network and is quick: the gradient at the input, summed over colours."""
    x = torch.as_tensor(inputs).requires_grad_()
    (gradient,) = torch.autograd.grad(model(x)[range(len(x)), list(targets)].sum(), x)
    return gradient.sum(1, keepdim=True).numpy()


def test_the_preset_quantus_is_its_test_of_randomised_parameters():
    network, x = model(), PREPROCESS.normalise(pixels(1))[None].numpy()
    reference = quantus.MPRT(normalise=False, disable_warnings=True)
    theirs = reference(network, x, np.array([2]), channel_first=True, explain_func=edges, device="cpu")
    wrapped = quantus.helpers.model.pytorch_model.PyTorchModel(model(), channel_first=True)
    maps = {}
    layers = wrapped.random_layer_generator_length
    for number, (_, randomised) in enumerate(wrapped.get_random_layer_generator("top_down", 42), 1):
        maps[number / layers] = torch.from_numpy(edges(randomised, x, [2])[0, 0])
    raw = torch.from_numpy(edges(network, x, [2])[0, 0])
    metric = Randomisation(**Randomisation.presets["quantus"] | {"shares": tuple(maps)})
    again = Given(maps)
    seen = seeing(network, pixels(1), some_map(), again=again, raw=raw, evidence="signed")
    ours = measured(metric, seen, network)["curve"]
    assert ours == pytest.approx([score for name, (score,) in theirs.items() if name != "original"], abs=1e-6)
    assert set(again.seeds) == {42}
