from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import MissingExtra
from rsi_gradcam.metrics.components import box_iou, components
from tests.metrics.boxed import box_within
from tests.oracles import localisation as oracle


def regions(seed, share, planes=3, height=6, width=7):
    return np.random.default_rng(seed).random((planes, height, width)) < share


@given(st.integers(0, 10_000), st.sampled_from([0.1, 0.3, 0.5, 0.8, 1.0]))
def test_they_are_what_filling_finds_plane_by_plane(seed, share):
    stack = regions(seed, share)
    found = components(stack)
    for number, region in enumerate(stack):
        here = found.planes == number
        parts = [(tuple(box), size) for box, size in zip(found.boxes[here], found.sizes[here], strict=True)]
        assert parts == oracle.parts(region.tolist())


@pytest.mark.parametrize("seed", range(5))
def test_they_are_scipys(seed):
    from scipy import ndimage

    stack = regions(seed, 0.45, planes=2, height=40, width=33)
    found = components(stack)
    for number, region in enumerate(stack):
        labels, count = ndimage.label(region, np.ones((3, 3)))
        expected = [(x.start, y.start, x.stop, y.stop) for y, x in ndimage.find_objects(labels)]
        here = found.planes == number
        assert sorted(map(tuple, found.boxes[here])) == sorted(expected)
        assert sorted(found.sizes[here]) == sorted(np.bincount(labels.ravel(), minlength=count + 1)[1:])


def test_corners_touch_and_neither_rims_nor_planes_do():
    stack = np.array([[[1, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 1], [1, 0, 0], [0, 0, 1]]], dtype=bool)
    found = components(stack)
    assert found.planes.tolist() == [0, 1, 1, 1]
    assert found.boxes.tolist() == [[0, 0, 2, 2], [2, 0, 3, 1], [0, 1, 1, 2], [2, 2, 3, 3]]
    assert found.sizes.tolist() == [2, 1, 1, 1]


def test_an_empty_region_has_no_parts():
    found = components(np.zeros((2, 3, 3), dtype=bool))
    assert found.boxes.shape == (0, 4)
    assert len(found.planes) == len(found.sizes) == 0


@given(box_within(), box_within())
def test_the_iou_of_boxes_is_that_of_their_edges(one, other):
    assert box_iou(np.array([one]), np.array([other])).item() == pytest.approx(oracle.box_iou(one, other))


def test_without_scipy_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(MissingExtra, match=r'max_box_acc needs the extra "evaluation"'):
        components(np.ones((1, 2, 2), dtype=bool))
