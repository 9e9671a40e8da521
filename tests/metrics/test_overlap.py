from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics import Overlap
from rsi_gradcam.metrics.overlap import overlap
from tests.metrics.boxed import box_within, look, maps, measured
from tests.oracles import localisation as oracle

GRID = (0.2, 0.5, 0.6, 1.0)
LEFT = (Box(0, 0, 1, 2),)


@given(maps, box_within(), st.sampled_from([">", ">="]), st.sampled_from([0.0, 1.0]))
def test_it_is_the_loop_over_pixels_at_each_threshold(heatmap, box, sign, empty):
    mask = look(heatmap, (box,)).mask
    iou, iob, ior = overlap(heatmap, mask, GRID, sign, empty)
    for place, threshold in enumerate(GRID):
        expected = oracle.overlap(heatmap.tolist(), mask.tolist(), threshold, at_it_too=sign == ">=")
        assert iou[place] == pytest.approx(expected[0])
        assert iob[place] == pytest.approx(expected[1])
        assert ior[place] == pytest.approx(empty if expected[2] is None else expected[2])


def test_by_hand():
    """Above 0.3 there are three of four pixels, among them both of the box; above 0.6 one, in the box."""
    found = measured(Overlap(step=0.25), look(torch.tensor([[1.0, 0.0], [0.6, 0.6]]), LEFT))
    assert found["iou"] == [2 / 3, 2 / 3, 0.5]
    assert found["iob"] == [1.0, 1.0, 0.5]
    assert found["ior"] == [2 / 3, 2 / 3, 1.0]
    assert found["iou_at"] == 2 / 3
    assert found["iou_mean"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 2) / 3)


def test_the_grid_goes_from_a_twentieth_to_below_1():
    assert Overlap().points() == pytest.approx([number / 20 for number in range(1, 20)])


@pytest.mark.parametrize(("sign", "claimed"), [(">", 0.0), (">=", 1.0)])
def test_a_pixel_at_the_threshold_is_claimed_where_the_sign_says_so(sign, claimed):
    found = measured(Overlap(sign=sign), look(torch.tensor([[0.5, 0.0], [0.5, 0.0]]), LEFT))
    assert found["iou_at"] == claimed


@given(box_within())
def test_a_map_that_is_the_box_scores_1_everywhere(box):
    found = measured(Overlap(), look(look(torch.ones(8, 8), (box,)).mask.float(), (box,)))
    assert all(value == ([1.0] * 19 if isinstance(value, list) else 1.0) for value in found.values())


@given(maps, box_within())
def test_iou_is_least_and_iob_falls_with_the_threshold(heatmap, box):
    found = {name: np.array(value) for name, value in measured(Overlap(), look(heatmap, (box,))).items()}
    region = np.array([(heatmap.double() > threshold).sum().item() for threshold in Overlap().points()])
    assert (found["iou"] <= found["iob"] + 1e-12).all()
    assert (found["iou"] <= found["ior"] + 1e-12)[region > 0].all()
    assert (np.diff(found["iob"]) <= 1e-12).all()


@given(maps, box_within())
def test_a_monotone_map_moves_the_thresholds_alone(heatmap, box):
    seen = look(heatmap, (box,))
    here = overlap(heatmap, seen.mask, (0.3, 0.6))
    there = overlap(heatmap.double() ** 2, seen.mask, (0.09, 0.36))
    assert all(np.array_equal(one, other) for one, other in zip(here, there, strict=True))


@given(maps, box_within())
def test_pixels_may_be_shuffled_with_their_mask(heatmap, box):
    seen = look(heatmap, (box,))
    order = torch.randperm(64, generator=torch.Generator().manual_seed(1))
    shuffled = look(heatmap.flatten()[order].reshape(8, 8), mask=seen.mask.flatten()[order].reshape(8, 8))
    assert measured(Overlap(), seen) == measured(Overlap(), shuffled)


def test_a_faint_map_claims_nothing_above_its_maximum():
    found = measured(Overlap(empty_region=0.25, at=0.65), look(torch.tensor([[0.6, 0.0], [0.6, 0.0]]), LEFT))
    assert found["iou"][:11] == [1.0] * 11
    assert found["ior"][12:] == [0.25] * 7
    assert found["iou_at"] == 0.0


def test_a_dark_map_wins_nothing_by_claiming_nothing():
    found = measured(Overlap(empty_region=1.0), look(torch.tensor([[0.3, 0.0], [0.3, 0.0]]), LEFT))
    assert found["ior"][:5] == [1.0] * 5
    assert found["ior"][6:] == [0.0] * 13


def test_without_boxes_its_curves_are_absent_too():
    found = measured(Overlap(), look(torch.ones(2, 2)))
    assert all(math.isnan(each) for each in found["iou"])
    assert math.isnan(found["iou_mean"])


def test_the_threshold_of_a_set_is_chosen_on_other_photos_than_are_scored():
    at_25, at_75, none = [0.9, 0.1, 0.2], [0.3, 0.2, 0.8], [math.nan] * 3
    curves = {"iou": np.array([at_25, at_75, at_25, none, at_75])}
    choosing = np.array([True, False, True, True, False])
    assert Overlap(step=0.25).pooled(curves, choosing) == {"iou_elsewhere": 0.3, "iou_threshold": 0.25}
    assert Overlap(step=0.25).pooled(curves, ~choosing) == {"iou_elsewhere": 0.2, "iou_threshold": 0.75}
    assert Overlap(step=0.25).pooled(curves, np.ones(5, dtype=bool)) == {}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"step": 0.3}, "step must go into 1 without a rest"),
        ({"step": 0.25, "at": 0.3}, "at must be a threshold of the grid, got 0.3"),
        ({"sign": "≥"}, "sign '≥' is not known"),
        ({"empty_region": math.nan}, "empty_region must be from 0 to 1"),
    ],
)
def test_a_wrong_convention_is_refused(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        Overlap(**wrong)
