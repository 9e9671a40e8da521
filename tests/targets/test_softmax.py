from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Probability, Softmax, explain
from tests.agreement import agree
from tests.networks import images, network


def test_it_is_torchs_own_backward_bit_for_bit_at_saturation():
    z = torch.tensor([[30.0, 1.0, -2.0]], requires_grad=True)
    (expected,) = torch.autograd.grad(z.softmax(1)[0, 0], z)
    _, v = Softmax().score(z.detach(), torch.tensor([0]), torch.tensor([1]))
    assert v[0, 0].item() == expected[0, 0].item() == 0.0
    agree(v, expected, 1e-6)


@pytest.mark.parametrize("kind", ["plain", "residual"])
def test_where_nothing_is_rounded_away_it_is_the_probability(kind):
    model, x, layer = network(kind), images(2), "features.5" if kind == "plain" else "stage2"
    soft, exact = (explain(model, x, layer, "grad_cam", target((1, 2))) for target in (Softmax, Probability))
    agree(soft.signed, exact.signed, 1e-12)
