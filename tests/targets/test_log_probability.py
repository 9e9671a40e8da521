from __future__ import annotations

import math

import pytest
import torch

from rsi_gradcam import LogProbability
from tests.agreement import agree


def test_by_hand():
    """p = (1/2, 1/4, 1/4): v = e_c − p."""
    y, v = LogProbability().score(
        torch.tensor([[2.0, 1.0, 1.0]]).double().log(), torch.tensor([0]), torch.tensor([1])
    )
    assert y.item() == pytest.approx(math.log(0.5))
    agree(v, [[0.5, -0.25, -0.25]], 1e-14)


@pytest.mark.parametrize("gap", [20.0, 40.0, 80.0])
def test_at_saturation_its_own_class_keeps_its_exact_gradient(gap):
    _, v = LogProbability().score(torch.tensor([[gap, 0.0]]), torch.tensor([0]), torch.tensor([1]))
    assert v[0, 0].item() == pytest.approx(math.exp(-gap) / (1 + math.exp(-gap)), rel=1e-5)
