from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import Black, Logit, Unblur, explain
from rsi_gradcam.methods import LIME
from rsi_gradcam.methods.lime import superpixels
from tests.networks import Counting, images, network, zeros


class Window(nn.Module):
    """y = the mean of one quarter of the image."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, x):
        return self.layer(x)[:, :, :8, :8].mean((1, 2, 3))[:, None]


def quarters():
    """An image of four plain colours, so that its superpixels are its quarters."""
    x = torch.zeros(1, 3, 16, 16)
    for place, colour in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]):
        row, column = divmod(place, 2)
        x[0, :, 8 * row : 8 * row + 8, 8 * column : 8 * column + 8] = torch.tensor(colour).view(3, 1, 1).float()
    return x


def test_the_superpixels_of_plain_quarters_keep_to_them_and_count_from_zero():
    regions = superpixels(quarters()[0], 4)
    assert regions.shape == (16, 16)
    assert sorted(regions.unique().tolist()) == list(range(int(regions.max()) + 1))
    for piece in (regions[:8, :8], regions[:8, 8:], regions[8:, :8], regions[8:, 8:]):
        others = (regions != piece[0, 0]).sum()
        assert others >= 16 * 16 - 64


def test_what_the_score_looks_at_by_hand():
    """y is 1/3 with the red quarter and 0 without: its coefficient is that, less what Lasso takes, the rest 0."""
    found = explain(Window(), quarters(), "layer", LIME(superpixels=4), Logit(0), torch.zeros(3, 16, 16))
    assert found.raw[0, :8, :8].mean().item() == pytest.approx(1 / 3, abs=0.06)
    assert found.raw[0, :8, 8:].abs().max() < 0.02
    assert found.raw[0, 8:].abs().max() < 0.02


def test_it_is_the_same_for_the_same_seed_and_leaves_torchs_random_state_alone():
    model, x = network("plain"), images(1)
    torch.manual_seed(5)
    one = explain(model, x, "features.5", LIME(samples=20), 1, zeros())
    after = torch.rand(1)
    torch.manual_seed(6)
    other = explain(model, x, "features.5", LIME(samples=20), 1, zeros())
    torch.manual_seed(5)
    assert torch.equal(one.raw, other.raw)
    assert torch.equal(after, torch.rand(1))


def test_it_says_how_many_passes_it_took():
    model = Counting(network("plain"))
    found = explain(model, images(1), "network.features.5", LIME(samples=12), 1, zeros())
    assert found.passes.item() == model.images == 13


@pytest.mark.parametrize("path", [None, Unblur(2.0)])
def test_what_it_hides_it_replaces_by_the_start_of_the_path(path):
    model, x = network("plain", factor=8.0), images(1)
    black = Black((0.0,) * 3, (1.0,) * 3)
    found = explain(model, x, "features.5", LIME(samples=50, superpixels=9), Logit(), black, path=path)
    assert found.raw.abs().max() > 0
