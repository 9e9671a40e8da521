from __future__ import annotations

import torch

from rsi_gradcam.controls.ones import Ones
from tests.controls.views import view


def test_its_heatmap_is_bright_everywhere_whatever_the_epsilon():
    raw = Ones().map(view())
    for epsilon in (0.0, 1e-8, 0.1):
        assert torch.equal(Ones().heatmap(raw, (12, 16), epsilon), torch.ones(12, 16))


def test_a_map_that_is_normalised_would_have_been_dark():
    from rsi_gradcam.controls.base import Control

    raw = Ones().map(view())
    assert not Control.heatmap(Ones(), raw, (12, 16)).any()
