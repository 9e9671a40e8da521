from __future__ import annotations

import pytest
import torch

from rsi_gradcam.metrics.stability import Stability, difference, stability
from tests.metrics.asking import measured, model, pixels, seeing
from tests.metrics.remade import Remade
from tests.networks import Scaled
from tests.oracles import correlation as oracle


class Given:
    """A map in float64 that is given."""

    def __init__(self, double):
        self.double = double

    def in_double(self):
        return self.double


def test_it_is_the_rank_correlation_as_loops():
    network = model("residual")
    seen = Remade(network, pixels(1), "stage1", 2).seen()
    finer = seen.again.in_double().relu().sqrt()
    finer += 0.3 * finer.max() * torch.rand(16, 16, generator=torch.Generator().manual_seed(0))
    found = measured(
        Stability(), seeing(network, seen.pixels, seen.heatmap, again=Given(finer), raw=seen.raw), network
    )
    assert found[""] == pytest.approx(oracle.spearman(seen.raw.flatten().tolist(), finer.flatten().tolist()), 1e-6)
    assert 0.1 < found[""] < 0.95


def test_two_maps_by_hand():
    single, double = torch.tensor([[0.0, 0.0], [2.0, 4.0]]), torch.tensor([[0.0, 1.0], [2.0, 4.0]])
    ranked = oracle.pearson([1.5, 1.5, 3, 4], [1, 2, 3, 4])
    assert stability(single, double) == pytest.approx(ranked)
    assert difference(single, double) == pytest.approx(1 / 16)


def test_a_map_of_ones_that_stays_so_is_stable():
    ones = torch.ones(16, 16)
    found = measured(Stability(), seeing(model(), pixels(), ones, again=Given(ones.double()), raw=ones), model())
    assert found == {"": 1.0, "difference": 0.0}


def test_the_scale_of_the_maps_is_no_matter():
    one, other = torch.rand(2, 5, 5, dtype=torch.float64)
    assert stability(1e-30 * one, other) == pytest.approx(stability(one, other))
    assert difference(1e-30 * one, 7 * other) == pytest.approx(difference(one, other))


def test_an_order_turned_round_is_no_agreement():
    one = torch.rand(5, 5)
    assert stability(one, 1 - one) == 0


@pytest.mark.parametrize("method", ["grad_cam", "rsi_grad_cam"])
def test_a_network_that_does_not_saturate_is_stable(method):
    again = Remade(model("residual"), pixels(1), "stage1", 2, method)
    found = measured(Stability(), again.seen(), again.network)
    assert found[""] > 0.999
    assert 0 < found["difference"] < 1e-4
    assert again.asked == 1


def test_where_the_network_saturates_softmaxs_own_gradient_is_not_stable_and_the_exact_one_is():
    network, photo = Scaled(model("pooled"), 16.0), pixels(0)
    category = int(seeing(network, photo, photo[0]).logits.argmax())
    plain, exact = (
        measured(Stability(), Remade(network, photo, "network.second", category, preset=preset).seen(), network)
        for preset in ("paper", None)
    )
    assert exact[""] > 0.999
    assert plain[""] < 0.99
    assert exact["difference"] < 1e-4
    assert plain["difference"] > 1e-2


def test_a_blank_map_gets_the_worst_whatever_float64_says():
    seen = seeing(model(), pixels(), torch.zeros(16, 16), again=Given(torch.zeros(16, 16)))
    assert measured(Stability(), seen, model()) == {"": 0, "difference": 1}
