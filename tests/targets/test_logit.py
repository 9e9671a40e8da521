from __future__ import annotations

import torch

from rsi_gradcam import Logit, explain
from tests.agreement import agree
from tests.networks import Scaled, images, network


def test_by_hand():
    y, v = Logit().score(torch.tensor([[1.0, 5.0, 2.0]]), torch.tensor([1]), torch.tensor([2]))
    assert y.tolist() == [5.0]
    assert v.tolist() == [[0.0, 1.0, 0.0]]


def test_it_does_not_saturate():
    model, x = network("pooled"), images(1)
    sharp, blunt = (explain(Scaled(model, factor), x, "network.relu2", "grad_cam", Logit()) for factor in (1e3, 1.0))
    agree(sharp.signed / 1e3, blunt.signed, 1e-12)
