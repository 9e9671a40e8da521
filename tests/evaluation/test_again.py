from __future__ import annotations

import copy

import pytest
import torch

from rsi_gradcam import explain
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.again import Once, Others, Repeats
from rsi_gradcam.evaluation.looking import Eye
from rsi_gradcam.evaluation.randomising import randomised, weighted
from rsi_gradcam.evaluation.reading import read
from rsi_gradcam.targets import Softmax
from tests.evaluation.small import LAYERS, Drawn, network, small_protocol

LAYER = LAYERS[0]
WEIGHTED = ["features.0", "features.3", "classifier.0", "classifier.3"]


@pytest.fixture
def eye():
    return Eye(network().network, network(), LAYERS, small_protocol())


@pytest.fixture
def repeats(eye):
    dataset = Drawn(2)
    shot = read(1, dataset.examples()[1], dataset, network().preprocess)
    return Repeats(Others(eye), shot, 2, seed=5)


def again(repeats, method, layer=LAYER):
    return Once(lambda: repeats, (method, layer))


def by_hand(module, x, method="rsi_grad_cam"):
    black = network().baseline("black")
    return explain(module, x, LAYER, method, Softmax(2), black, preset="paper", steps=4).raw[0]


def test_of_other_pixels_it_is_the_explanation_of_those(repeats):
    pixels = repeats.shot.pixels.flip(-1)
    expected = by_hand(network().network, network().preprocess.normalise(pixels)[None])
    assert torch.equal(again(repeats, "rsi_grad_cam").of(pixels), expected)
    same = again(repeats, "rsi_grad_cam").of(repeats.shot.pixels)
    assert not torch.equal(same, expected)


def test_in_double_network_and_sums_are_so(repeats):
    double = copy.deepcopy(network().network).double()
    expected = by_hand(double, network().preprocess.normalise(repeats.shot.pixels)[None].double(), "grad_cam")
    found = again(repeats, "grad_cam").in_double()
    assert found.dtype == torch.float64
    assert torch.allclose(found, expected, rtol=1e-6)
    assert next(network().network.parameters()).dtype == torch.float32


def test_a_randomised_network_gives_another_map_and_the_network_stays(repeats):
    before = {name: value.clone() for name, value in network().network.state_dict().items()}
    one = again(repeats, "rsi_grad_cam")
    module = randomised(network().network, repeats.others.eye.like, 0.5, 7)
    expected = by_hand(module, network().preprocess.normalise(repeats.shot.pixels)[None])
    assert torch.equal(one.randomised(0.5, 7), expected)
    assert not torch.equal(one.randomised(0.5, 7), one.randomised(0.5, 8))
    assert all(torch.equal(value, before[name]) for name, value in network().network.state_dict().items())


def test_with_nothing_randomised_the_map_is_the_same(repeats):
    assert torch.equal(
        again(repeats, "rsi_grad_cam").randomised(0.0, 0), again(repeats, "rsi_grad_cam").of(repeats.shot.pixels)
    )


def test_all_maps_of_another_network_come_from_one_walk(repeats, monkeypatch):
    walks = []
    maps = Eye.maps
    monkeypatch.setattr(Eye, "maps", lambda self, *rest: walks.append(self) or maps(self, *rest))
    for method in ("grad_cam", "integrated_grad_cam", "rsi_grad_cam"):
        for layer in LAYERS:
            again(repeats, method, layer).in_double()
    assert len(walks) == 1


def test_controls_are_made_again_as_well(repeats):
    random = again(repeats, "random").in_double()
    assert torch.equal(random.float(), again(repeats, "random").of(repeats.shot.pixels))
    activation = again(repeats, "activation")
    with torch.no_grad():
        hidden = network().network.features[:5](network().preprocess.normalise(repeats.shot.pixels)[None])
    assert torch.allclose(activation.of(repeats.shot.pixels), hidden[0].sum(0))
    ones = again(repeats, "ones", "input")
    assert torch.equal(ones.randomised(1.0, 0), torch.ones(16, 16))


def test_layers_are_drawn_anew_from_the_output_downwards(eye):
    module = network().network
    assert weighted(module, eye.like) == WEIGHTED
    for share, changed in ((0.0, 0), (0.25, 1), (0.3, 2), (0.5, 2), (1.0, 4)):
        other = dict(randomised(module, eye.like, share, 0).named_modules())
        same = [torch.equal(other[name].weight, dict(module.named_modules())[name].weight) for name in WEIGHTED]
        assert same == [True] * (4 - changed) + [False] * changed


def test_a_larger_share_holds_the_draws_of_a_smaller_one(eye):
    some, more = (randomised(network().network, eye.like, share, 3).classifier[3].weight for share in (0.25, 1.0))
    assert torch.equal(some, more)


def test_weights_drawn_anew_keep_their_scale_and_nothing_else(eye):
    old = network().network.classifier[0].weight.detach().flatten()
    new = randomised(network().network, eye.like, 1.0, 0).classifier[0].weight.detach().flatten()
    assert float(new.std()) == pytest.approx(float(old.std()), rel=0.1)
    assert abs(float(torch.corrcoef(torch.stack([old, new]))[0, 1])) < 0.1


def test_a_share_is_a_share(eye):
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        randomised(network().network, eye.like, 1.5, 0)


def test_other_networks_are_kept_only_as_far_as_there_is_room(eye, monkeypatch):
    monkeypatch.setattr("rsi_gradcam.evaluation.again.MOST", 2 * sum(p.numel() * 4 for p in eye.module.parameters()))
    others = Others(eye)
    for seed in range(4):
        others.randomised(1.0, seed)
    assert list(others.kept) == [(1.0, 2), (1.0, 3)]
