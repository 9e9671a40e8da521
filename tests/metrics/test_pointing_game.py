from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics import PointingGame
from rsi_gradcam.metrics.pointing_game import pointing_game
from tests.metrics.boxed import box_within, look, maps, measured
from tests.oracles import localisation as oracle

RULES = {"mean": lambda hits: sum(hits) / len(hits), "first": lambda hits: hits[0], "all": all, "any": any}
QUANTUS = PointingGame(**PointingGame.presets["quantus"])


def peak(i: int, j: int, side: int = 8) -> torch.Tensor:
    heatmap = torch.zeros(side, side)
    heatmap[i, j] = 1.0
    return heatmap


@given(
    maps, st.lists(box_within(), min_size=1, max_size=3), st.sampled_from([0.0, 1.0, 2.5]), st.sampled_from([*RULES])
)
def test_it_is_the_loop_over_peaks(heatmap, boxes, tolerance, ties):
    found = pointing_game(heatmap, look(heatmap, tuple(boxes)).mask, boxes, tolerance, ties)
    assert found == pytest.approx(float(RULES[ties](oracle.peaks_that_hit(heatmap.tolist(), boxes, tolerance))))


@pytest.mark.parametrize(("tolerance", "hit"), [(0.0, 0.0), (1.4, 0.0), (1.5, 1.0), (15.0, 1.0)])
def test_by_hand_a_peak_beside_the_box_hits_within_the_tolerance(tolerance, hit):
    """The centre of pixel (2, 5) is 1.5 right of the box's edge."""
    seen = look(peak(2, 5), (Box(1, 1, 4, 4),))
    assert measured(PointingGame(tolerance=tolerance), seen)[""] == hit


@pytest.mark.parametrize(("ties", "score"), [("mean", 2 / 3), ("first", 0.0), ("all", 0.0), ("any", 1.0)])
def test_of_three_peaks_two_hit(ties, score):
    heatmap = peak(0, 0) + peak(3, 3) + peak(3, 4)
    found = measured(PointingGame(ties=ties), look(heatmap, (Box(3, 3, 6, 6),)))
    assert found[""] == pytest.approx(score)


@given(box_within())
def test_the_boxs_own_map_hits_and_the_rest_does_not(box):
    mask = look(torch.ones(8, 8), (box,)).mask.float()
    for ties in RULES:
        game = PointingGame(ties=ties)
        assert measured(game, look(mask, (box,)))[""] == 1.0
        assert measured(game, look(1 - mask, (box,)))[""] == 0.0


@given(maps, box_within())
def test_any_rising_function_of_the_map_points_alike(heatmap, box):
    for change in (lambda L: 0.5 * L, lambda L: L.double() ** 3, lambda L: (5 * L.double()).exp()):
        assert measured(QUANTUS, look(change(heatmap), (box,))) == measured(QUANTUS, look(heatmap, (box,)))


@given(maps, box_within())
def test_pixels_may_be_shuffled_with_their_mask(heatmap, box):
    mask = look(heatmap, (box,)).mask
    order = torch.randperm(64, generator=torch.Generator().manual_seed(1))
    shuffled = (each.flatten()[order].reshape(8, 8) for each in (heatmap, mask))
    assert pointing_game(heatmap, mask, (box,)) == pointing_game(*shuffled, (box,))


def test_a_map_that_is_alike_everywhere_points_nowhere():
    for value in (0.0, 1.0):
        assert measured(PointingGame(ties="any"), look(torch.full((8, 8), value), (Box(0, 0, 8, 8),)))[""] == 0.0


@pytest.mark.parametrize(("highest", "hit"), [(0.001, 0.0), (0.499, 0.0), (0.5, 1.0)])
@pytest.mark.parametrize("tolerance", [0.0, 15.0])
def test_a_dark_map_is_no_hit_wherever_it_points(highest, hit, tolerance):
    seen = look(highest * peak(3, 3), (Box(3, 3, 6, 6),))
    assert measured(PointingGame(tolerance=tolerance), seen)[""] == hit


def test_a_box_without_area_attracts_no_peak():
    boxes = (Box(0, 0, 0, 8), Box(6, 6, 8, 8))
    assert measured(PointingGame(tolerance=1.0), look(peak(0, 0), boxes))[""] == 0.0


def theirs(*maps_and_masks):
    """Quantus' scores of one batch."""
    quantus = pytest.importorskip("quantus")
    heatmaps, masks = (torch.stack(each)[:, None].numpy() for each in zip(*maps_and_masks, strict=True))
    return quantus.PointingGame(disable_warnings=True)(
        None, np.zeros_like(heatmaps), None, a_batch=heatmaps, s_batch=masks
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_quantus_preset_gives_what_quantus_gives(seed):
    generator = torch.Generator().manual_seed(seed)
    heatmap = torch.randint(0, 4, (8, 8), generator=generator) / 3
    box = Box(*sorted(torch.randperm(9, generator=generator)[:2].tolist()), 8, 8)
    box = Box(box.left, box.left, box.top, box.top)
    seen = look(heatmap, (box,))
    assert theirs((heatmap, seen.mask)) == [measured(QUANTUS, seen)[""]]


def test_where_quantus_is_wrong_a_dark_map_and_an_empty_mask_are_hits():
    """It refuses a batch of dark maps alone; one among others it counts as a hit, as every pixel is a peak."""
    box = (Box(2, 2, 4, 4),)
    miss, dark, nothing = look(peak(0, 0), box), look(torch.zeros(8, 8), box), look(peak(0, 0), (Box(2, 2, 2, 4),))
    assert theirs(*((seen.heatmap, seen.mask) for seen in (miss, dark, nothing))) == [0.0, 1.0, 1.0]
    assert measured(QUANTUS, miss)[""] == 0.0
    assert measured(QUANTUS, dark)[""] == 0.0
    assert math.isnan(measured(QUANTUS, nothing)[""])


def test_a_wrong_convention_is_refused():
    with pytest.raises(ConfigurationError, match="ties 'frist' is not known: did you mean first"):
        PointingGame(ties="frist")
    with pytest.raises(ConfigurationError, match="tolerance must be 0 or more pixels, got -1"):
        PointingGame(tolerance=-1)
