from __future__ import annotations

import pytest
import torch

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import heatmap_picture
from rsi_gradcam.figures.colours import table
from rsi_gradcam.heatmap import upsample
from tests.figures.explanations import pixels


def test_each_value_becomes_one_pixel_of_its_colour():
    heatmap = torch.tensor([[0.0, 1.0, 0.2]])
    assert (pixels(heatmap_picture(heatmap, colours="viridis")) == table("viridis")[[0, 255, 51]]).all()


def test_larger_it_is_the_upsampled_map():
    heatmap = torch.rand(4, 5)
    grown = heatmap_picture(upsample(heatmap[None], (21, 34))[0])
    picture = heatmap_picture(heatmap, (34, 21))
    assert picture.size == (34, 21)
    assert abs(pixels(picture) - pixels(grown)).max() <= 4


def test_a_dark_map_is_dark():
    assert (pixels(heatmap_picture(torch.zeros(3, 3))) == table("inferno")[0]).all()


def test_a_map_that_is_not_normalised_is_refused():
    with pytest.raises(ConfigurationError, match="from 0 to 7"):
        heatmap_picture(torch.tensor([[0.0, 7.0]]))
