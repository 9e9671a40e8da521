"""The mask of boxes, and that it is where the photo's own pixels went."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from rsi_gradcam.images import Box, Preprocess, inside

EDGE = 1e-6  # of a pixel: Pillow adds up its steps, so at a tie it may round either way


def by_loops(boxes, size):
    mask = torch.zeros(size, dtype=torch.bool)
    for row in range(size[0]):
        for column in range(size[1]):
            for left, top, right, bottom in boxes:
                if left <= column + 0.5 < right and top <= row + 0.5 < bottom:
                    mask[row, column] = True
    return mask


def painted(photo_size, box):
    """A black photo with the box white."""
    pixels = np.zeros((photo_size[1], photo_size[0], 3), np.uint8)
    left, top, right, bottom = box
    pixels[top:bottom, left:right] = 255
    return Image.fromarray(pixels)


def near_an_edge(box, size):
    """Pixels whose centre is on one of the box's edges, but for rounding."""
    rows, columns = torch.arange(size[0])[:, None] + 0.5, torch.arange(size[1])[None] + 0.5
    beside = [(columns - edge).abs() < EDGE for edge in (box[0], box[2])]
    above = [(rows - edge).abs() < EDGE for edge in (box[1], box[3])]
    return beside[0] | beside[1] | above[0] | above[1]


number = st.integers(-6, 30).map(lambda half: half / 2) | st.floats(-3, 12)


@given(st.lists(st.tuples(number, number, number, number), max_size=3))
def test_a_pixel_is_inside_if_its_centre_is(boxes):
    near = [
        near_an_edge(box, (7, 9)) & ~torch.tensor([edge * 2 == int(edge * 2) for edge in box]).all() for box in boxes
    ]
    sure = ~torch.stack(near).any(0) if near else torch.ones(7, 9, dtype=torch.bool)
    assert torch.equal(inside(boxes, (7, 9)) & sure, by_loops(boxes, (7, 9)) & sure)


def test_by_hand():
    mask = inside([Box(1, 0, 2.4, 1.6), Box(2.5, 1.5, 9, 9)], (3, 4))
    assert mask.int().tolist() == [[0, 1, 0, 0], [0, 1, 1, 1], [0, 0, 1, 1]]


def test_no_box_and_a_box_elsewhere_are_no_pixel():
    assert not inside([], (4, 5)).any()
    assert not inside([Box(5, 0, 9, 4), Box(-3, -3, 0, 4), Box(3, 3, 1, 1)], (4, 5)).any()


def test_boxes_that_touch_share_no_pixel_and_leave_none_out():
    left, right = inside([Box(0, 0, 2.5, 4)], (4, 5)), inside([Box(2.5, 0, 5, 4)], (4, 5))
    assert (left ^ right).all()


def test_an_edge_on_a_centre_is_so_whatever_rounding_did_to_it():
    third = 1 / 3
    assert inside([(1.5 + 1e-12, 0, 3 * third + 2.5 + 1e-12, 1)], (1, 6)).tolist() == [
        [False, True, True, False] + [False] * 2
    ]


@pytest.mark.parametrize("mode", ["squash", "crop"])
@pytest.mark.parametrize("crop_pct", [1.0, 0.875])
@pytest.mark.parametrize("photo_size", [(64, 64), (96, 64), (64, 160), (50, 37), (13, 90)])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_box_follows_its_photo_to_the_pixel(mode, crop_pct, photo_size, data):
    width, height = photo_size
    left, top = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    box = Box(left, top, data.draw(st.integers(left + 1, width)), data.draw(st.integers(top + 1, height)))
    preprocess = Preprocess(
        data.draw(st.sampled_from([(32, 32), (28, 56), (35, 24)])), mode, "nearest", crop_pct=crop_pct
    )
    white = preprocess.pixels(painted(photo_size, box))[0] == 1
    carried = preprocess.box_to_input(box, photo_size)
    sure = ~near_an_edge(carried, preprocess.size)
    assert torch.equal(inside([carried], preprocess.size) & sure, white & sure)


@pytest.mark.parametrize("mode", ["squash", "crop"])
def test_where_no_rounding_is_at_play_ties_follow_too(mode):
    preprocess = Preprocess((16, 16), mode, "nearest")
    for edge in range(1, 32):
        box = Box(edge - 1, 3, edge, 32)
        white = preprocess.pixels(painted((32, 32), box))[0] == 1
        assert torch.equal(inside([preprocess.box_to_input(box, (32, 32))], (16, 16)), white)
