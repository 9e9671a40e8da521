from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics import MaxBoxAcc
from rsi_gradcam.metrics.max_box_acc import found
from tests.metrics.boxed import box_within, look, maps, measured
from tests.oracles import localisation as oracle

GRID = (0.2, 0.45, 0.7)
NONE = [math.nan] * 3


@given(maps, st.lists(box_within(), min_size=1, max_size=2))
def test_it_is_filling_and_loops_at_each_threshold(heatmap, boxes):
    largest, best = found(heatmap, boxes, GRID)
    for place, threshold in enumerate(GRID):
        parts = oracle.parts([[value > threshold for value in row] for row in heatmap.tolist()])
        overlaps = [max(oracle.box_iou(part, box) for box in boxes) for part, _ in parts]
        sizes = [size for _, size in parts]
        assert largest[place] == pytest.approx(overlaps[sizes.index(max(sizes))])
        assert best[place] == pytest.approx(max(overlaps))


def test_by_hand():
    """Above 0.25 the larger part has the box (0, 0, 2, 2) round it, above 0.5 only the pixel at the right is left."""
    heatmap = torch.tensor([[0.4, 0.0, 0.0, 0.0], [0.4, 0.4, 0.0, 1.0]])
    got = measured(MaxBoxAcc(step=0.25, at=0.25), look(heatmap, (Box(3, 0, 4, 2),)))
    assert got["iou"] == [0.0, 0.5, 0.5]
    assert got["iou_any"] == [0.5, 0.5, 0.5]
    assert got[""] == 0.0
    assert measured(MaxBoxAcc(step=0.25, at=0.5), look(heatmap, (Box(3, 0, 4, 2),)))[""] == 1.0


@given(box_within())
def test_the_boxs_own_map_fits_at_every_threshold(box):
    got = measured(MaxBoxAcc(), look(look(torch.ones(8, 8), (box,)).mask.float(), (box,)))
    assert got == {"": 1.0, "iou": [1.0] * 19, "iou_any": [1.0] * 19}


@given(maps, box_within())
def test_any_part_fits_at_least_as_well_as_the_largest(heatmap, box):
    got = measured(MaxBoxAcc(), look(heatmap, (box,)))
    assert all(best >= largest for best, largest in zip(got["iou_any"], got["iou"], strict=True))


@given(maps, box_within())
def test_a_mirrored_photo_scores_alike_where_no_two_parts_are_equally_large(heatmap, box):
    mirrored = Box(8 - box.right, box.top, 8 - box.left, box.bottom)
    here, there = found(heatmap, [box], GRID), found(heatmap.flip(1), [mirrored], GRID)
    assert here[1] == pytest.approx(there[1])


def test_a_dark_map_finds_nothing_at_any_threshold_so_that_it_is_no_hit_in_a_set():
    box = (Box(2, 2, 5, 5),)
    mask = look(torch.ones(8, 8), box).mask.float()
    assert measured(MaxBoxAcc(), look(0.499 * mask, box)) == MaxBoxAcc().worst()
    assert measured(MaxBoxAcc(), look(0.5 * mask, box))[""] == 1.0


def test_a_map_alike_everywhere_finds_the_whole_photo():
    assert measured(MaxBoxAcc(), look(torch.ones(8, 8), (Box(0, 0, 4, 8),)))["iou"] == [0.5] * 19


def test_the_best_of_several_boxes_counts():
    heatmap = look(torch.ones(8, 8), (Box(4, 4, 8, 8),)).mask.float()
    assert measured(MaxBoxAcc(), look(heatmap, (Box(0, 0, 2, 2), Box(4, 4, 8, 8))))[""] == 1.0


def test_the_accuracy_of_a_set_is_at_a_threshold_chosen_on_other_photos():
    """On the first two photos the third threshold finds most; on the others that finds one of two."""
    iou = np.array([[0.6, 0.2, 0.6], [0.4, 0.5, 0.5], [0.9, 0.9, 0.1], [0.1, 0.1, 0.8], NONE])
    columns = {"iou": iou, "iou_any": np.maximum(iou, 0.35)}
    choosing = np.array([True, True, False, False, True])
    pooled = MaxBoxAcc(step=0.25, at=0.25, overlaps=(0.3, 0.5)).pooled(columns, choosing)
    assert pooled == {"elsewhere": 0.5, "v2_elsewhere": 0.75, "threshold": 0.75}
    assert MaxBoxAcc(step=0.25, at=0.25).pooled(columns, np.ones(5, dtype=bool)) == {}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"at": 0.33}, "at must be a threshold of the grid, got 0.33"),
        ({"overlaps": ()}, "overlaps must be one or more IoUs"),
        ({"overlaps": (0.5, 1.5)}, "overlaps must be one or more IoUs"),
    ],
)
def test_a_wrong_convention_is_refused(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        MaxBoxAcc(**wrong)
