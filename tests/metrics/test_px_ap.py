from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given

from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics import PxAP
from rsi_gradcam.metrics.px_ap import px_ap
from tests.metrics.boxed import box_within, draw_map, look, maps, measured
from tests.oracles import localisation as oracle


def columns(rows):
    return {column: np.array([row[column] for row in rows]) for column in PxAP.columns}


@given(maps, box_within())
def test_it_is_the_loop_over_thresholds(heatmap, box):
    mask = look(heatmap, (box,)).mask
    assert px_ap(heatmap, mask) == pytest.approx(oracle.average_precision(heatmap.tolist(), mask.tolist()))


def test_by_hand():
    """Down the ranks: in, out, in: half the recall at precision 1, the other half at 2/3."""
    found = px_ap(torch.tensor([[0.9, 0.5], [0.1, 0.0]]), torch.tensor([[True, False], [True, False]]))
    assert found == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)


@given(maps, box_within())
def test_it_is_scikit_learns(heatmap, box):
    sklearn = pytest.importorskip("sklearn.metrics")
    mask = look(heatmap, (box,)).mask
    expected = sklearn.average_precision_score(mask.flatten().numpy(), heatmap.flatten().numpy())
    assert px_ap(heatmap, mask) == pytest.approx(expected)


@given(maps, box_within())
def test_any_rising_function_of_the_map_and_any_order_of_pixels_scores_alike(heatmap, box):
    mask = look(heatmap, (box,)).mask
    order = torch.randperm(64, generator=torch.Generator().manual_seed(1))
    assert px_ap((3 * heatmap.double()).exp(), mask) == pytest.approx(px_ap(heatmap, mask))
    assert px_ap(heatmap.flatten()[order], mask.flatten()[order]) == pytest.approx(px_ap(heatmap, mask))


@given(box_within())
def test_the_boxs_own_map_scores_1_and_one_alike_everywhere_the_boxs_share(box):
    mask = look(torch.ones(8, 8), (box,)).mask
    assert px_ap(mask.float(), mask) == 1.0
    assert px_ap(torch.ones(8, 8), mask) == pytest.approx(float(mask.float().mean()))


@given(maps, box_within())
def test_hits_and_claims_are_shares_of_the_photo_at_each_threshold(heatmap, box):
    seen = look(heatmap, (box,))
    found = measured(PxAP(step=0.25), seen)
    for place, threshold in enumerate((0.0, 0.25, 0.5, 0.75, 1.0)):
        claimed = heatmap.double() >= threshold
        assert found["claims"][place] == claimed.double().mean()
        assert found["hits"][place] == (claimed & seen.mask).double().mean()


def test_the_number_of_a_set_is_of_all_its_pixels_together():
    photos = [(draw_map(seed, levels=100), Box(seed, 1, seed + 3, 6)) for seed in range(4)]
    seen = [look(heatmap, (box,)) for heatmap, box in photos]
    rows = [measured(PxAP(step=0.01), each) for each in seen] + [dict(PxAP().absent())]
    pooled = PxAP().pooled(columns(rows), np.zeros(5, dtype=bool))["pooled"]
    heatmaps, masks = torch.stack([heatmap for heatmap, _ in photos]), torch.stack([each.mask for each in seen])
    assert pooled == pytest.approx(px_ap((heatmaps.double() * 100 + 1e-4).floor() / 100, masks), abs=1e-3)


def test_on_the_grid_of_two_thresholds_by_hand():
    """At 1 all that is claimed is inside, half of it; at 0 and 0.5, everything: 0.5 · 1 + 0.5 · 0.5."""
    row = measured(PxAP(step=0.5), look(torch.tensor([[1.0, 0.6], [0.6, 0.6]]), (Box(0, 0, 1, 2),)))
    assert PxAP(step=0.5).pooled(columns([row]), np.zeros(1, dtype=bool)) == {"pooled": 0.75}


def test_a_dark_photo_scores_0_and_its_box_is_found_in_the_set_at_0_alone():
    """Half the boxes' pixels at precision 1; the other half, with all photos claimed, at one half."""
    box = (Box(0, 0, 4, 8),)
    good = measured(PxAP(), look(look(torch.ones(8, 8), box).mask.float(), box))
    dark = measured(PxAP(), look(torch.zeros(8, 8), box))
    assert dark[""] == 0.0
    assert PxAP().pooled(columns([good]), np.zeros(1, dtype=bool)) == {"pooled": 1.0}
    assert PxAP().pooled(columns([good, dark]), np.zeros(2, dtype=bool)) == {"pooled": 0.75}


def test_without_boxes_it_is_absent_and_a_set_of_such_has_no_number():
    row = measured(PxAP(), look(torch.ones(8, 8)))
    assert math.isnan(row[""])
    assert PxAP().pooled(columns([row]), np.zeros(1, dtype=bool)) == {}
