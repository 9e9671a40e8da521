from __future__ import annotations

import torch

from rsi_gradcam import Straight
from tests.agreement import agree
from tests.networks import images


def test_by_hand():
    x, baseline = torch.tensor([[[[4.0]]], [[[8.0]]]]), torch.tensor([[[[2.0]]], [[[0.0]]]])
    found = Straight().at(torch.tensor([0.5, 0.25]), x, baseline, torch.tensor([0, 1]))
    assert found.flatten().tolist() == [3.0, 2.0]


def test_it_begins_at_the_baseline_and_ends_at_the_image():
    x, baseline = images(2), images(2, seed=3)
    agree(Straight().at(torch.zeros(2).double(), x, baseline, torch.arange(2)), baseline, 1e-15)
    agree(Straight().at(torch.ones(2).double(), x, baseline, torch.arange(2)), x, 1e-15)
