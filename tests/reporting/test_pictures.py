"""What is drawn of a photo: by hand, on a specimen of which every pixel is known."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from PIL import Image

from rsi_gradcam.images import Box, Preprocess
from rsi_gradcam.reporting import pictures
from rsi_gradcam.reporting.specimen import Specimen

KEY = ("rsi_grad_cam", "features.20")


def specimen(heatmap: torch.Tensor, boxes: tuple[Box, ...] = (Box(0, 0, 4, 8),), photo: bool = True) -> Specimen:
    """An 8×8 photo of one grey, seen whole; its left half is the box."""
    image = Image.new("RGB", (8, 8), (100, 150, 200)) if photo else None
    preprocess = Preprocess((8, 8), "squash", "nearest")
    return Specimen("one", "tiger cat, Felis", 0.5, {KEY: heatmap}, preprocess, image, boxes if photo else ())


def left_half(value: float = 1.0) -> torch.Tensor:
    heatmap = torch.zeros(8, 8)
    heatmap[:, :4] = value
    return heatmap


def test_the_explanation_map_is_the_photo_times_the_heatmap():
    heatmap = torch.rand(8, 8, generator=torch.Generator().manual_seed(0))
    found = np.asarray(pictures.explanation_map(specimen(heatmap), KEY)).astype(float)
    for row in range(8):
        for column in range(8):
            expected = [float(heatmap[row, column]) * level for level in (100, 150, 200)]
            assert found[row, column] == pytest.approx(expected, abs=0.51)


def test_all_of_a_map_inside_the_box_is_energy_1():
    assert pictures.energy_in_box(specimen(left_half()), KEY) == 1


def test_an_even_map_has_the_boxs_share_as_energy():
    assert pictures.energy_in_box(specimen(torch.ones(8, 8)), KEY) == 0.5


def test_the_region_and_the_box_are_told_apart_by_three_colours():
    heatmap = torch.zeros(8, 8)
    heatmap[:4] = 0.9  # the upper half, of which the left half is in the box
    picture, said = pictures.region_on_box(specimen(heatmap), KEY, 0.5)
    assert said == "IoU 0.33 · IoB 0.50 · IoR 0.50"
    pixels = np.asarray(picture)
    corners = [tuple(pixels[row, column]) for row, column in ((0, 0), (0, 7), (7, 0), (7, 7))]
    assert len(set(corners)) == 4
    assert corners[3][0] == corners[3][1] == corners[3][2]  # outside of both the photo is grey


def test_a_region_above_the_highest_value_is_empty_and_scores_0():
    assert pictures.region_on_box(specimen(left_half(0.4)), KEY, 0.5)[1] == "IoU 0.00 · IoB 0.00 · IoR 0.00"


def test_boxes_follow_the_photo_into_the_input():
    image = Image.new("RGB", (16, 8))
    one = Specimen("one", "cat", 0.5, {KEY: torch.ones(8, 8)}, Preprocess((8, 8), "crop"), image, (Box(4, 0, 8, 8),))
    inside = pictures.inside_boxes(one)
    assert inside[:, :4].all()
    assert not inside[:, 4:].any()


def test_where_the_photo_is_out_of_reach_the_heatmap_stands_alone():
    one = specimen(left_half(), photo=False)
    alone = np.asarray(pictures.overlay_of(one, KEY))
    assert (alone == np.asarray(pictures.heatmap_of(one, KEY))).all()
    assert not pictures.input_boxes(one)


def test_a_specimen_is_called_by_the_first_of_its_classs_names():
    assert specimen(left_half()).title == "tiger cat, 50%"
