from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from rsi_gradcam.controls.box import Box
from rsi_gradcam.errors import ConfigurationError
from tests.controls.views import view


def test_it_is_one_inside_the_boxes_and_nothing_outside():
    seen = view()
    found = Box().heatmap(Box().map(seen), (12, 16))
    for row in range(12):
        for column in range(16):
            assert found[row, column] == (1 if 3 <= row < 8 and 2 <= column < 11 else 0)


def test_a_box_over_the_whole_photo_stays_bright():
    seen = view(inside=torch.ones(12, 16, dtype=torch.bool))
    assert Box().heatmap(Box().map(seen), (12, 16), 1e-8).eq(1).all()


def test_a_photo_without_boxes_is_refused_in_one_line():
    with pytest.raises(ConfigurationError, match="needs a photo with boxes"):
        Box().map(replace(view(), inside=None))
