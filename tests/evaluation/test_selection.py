from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.evaluation.selection import Selection, share_of
from rsi_gradcam.images.box import Box


def kept(**other):
    usual = {"label": 3, "predicted": 3, "boxes": 1, "share": 0.3}
    return Selection("paper").left_out(**{**usual, **other})


def test_the_first_filter_that_a_photo_fails_is_named():
    assert kept() == ""
    assert kept(predicted=4, boxes=2, share=0.9) == "wrong class"
    assert kept(boxes=2, share=0.9) == "several boxes"
    assert kept(boxes=0, share=None) == "no box"
    assert kept(share=0.9) == "large box"


def test_half_of_the_photo_is_too_large_and_a_photo_without_label_is_never_wrong():
    assert kept(share=0.5) == "large box"
    assert kept(share=0.4999) == ""
    assert kept(label=None, predicted=9) == ""


def test_with_no_selection_all_are_kept():
    assert Selection("none").left_out(label=1, predicted=2, boxes=0, share=None) == ""


edges = st.integers(-2, 12)
boxes = st.builds(lambda a, b, c, d: Box(min(a, b), min(c, d), max(a, b), max(c, d)), edges, edges, edges, edges)


@given(st.lists(boxes, min_size=1, max_size=4))
def test_the_share_is_that_of_the_pixels_in_any_box(found):
    mask = np.zeros((8, 10), bool)
    for box in found:
        for y in range(8):
            for x in range(10):
                mask[y, x] |= box.left <= x < box.right and box.top <= y < box.bottom
    assert share_of(found, (10, 8)) == pytest.approx(mask.sum() / 80)


def test_without_boxes_there_is_no_share():
    assert share_of([], (10, 8)) is None
