from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics import Energy
from rsi_gradcam.metrics.energy import corrected, energy
from tests.metrics.boxed import box_within, look, maps, measured
from tests.oracles import localisation as oracle

CORNER = (Box(0, 0, 1, 1),)


@given(maps, box_within())
def test_it_is_the_loop_over_pixels(heatmap, box):
    seen = look(heatmap, (box,))
    assert energy(heatmap, seen.mask) == pytest.approx(oracle.energy(heatmap.tolist(), seen.mask.tolist()), abs=1e-12)


def test_by_hand():
    found = measured(Energy(), look(torch.tensor([[0.5, 1.0], [0.5, 0.0]]), CORNER))
    assert found[""] == 0.25  # 0.5 of 2
    assert found["weighted"] == 1.0  # in a quarter of the photo
    assert found["corrected"] == 0.0


@given(box_within())
def test_a_map_wholly_inside_scores_1_and_one_wholly_outside_the_least(box):
    inside = look(torch.ones(8, 8), (box,)).mask
    found = measured(Energy(), look(inside.float(), (box,)))
    assert found[""] == found["corrected"] == 1.0
    found = measured(Energy(), look(1 - inside.float(), (box,)))
    assert found[""] == found["weighted"] == 0.0
    assert found["corrected"] == pytest.approx(max(-1.0, -inside.float().mean() / (1 - inside.float().mean())))


@given(box_within())
def test_a_blank_map_is_as_bad_as_light_that_lies_wholly_outside(box):
    inside = look(torch.ones(8, 8), (box,)).mask
    blank, outside = (measured(Energy(), look(each, (box,))) for each in (torch.zeros(8, 8), 1 - inside.float()))
    assert blank == outside


@given(box_within())
def test_a_map_that_is_alike_everywhere_scores_by_chance(box):
    found = measured(Energy(), look(torch.ones(8, 8), (box,)))
    assert found[""] == pytest.approx(box.width * box.height / 64)
    assert found["corrected"] == 0.0
    assert found["weighted"] == pytest.approx(1.0)


def test_random_maps_score_by_chance_in_the_mean_whatever_the_size_of_the_box():
    for share in (2, 7):
        scores = [
            measured(Energy(), look(torch.rand(8, 8, generator=torch.Generator().manual_seed(seed)), boxes))
            for seed in range(300)
            for boxes in [(Box(0, 0, share, 8),)]
        ]
        assert abs(np.mean([each["corrected"] for each in scores])) < 0.02
        assert abs(np.mean([each["weighted"] for each in scores]) - 1) < 0.02


@given(maps, box_within())
def test_scale_is_no_matter_and_pixels_may_be_shuffled_with_their_mask(heatmap, box):
    seen = look(heatmap, (box,))
    order = torch.randperm(64, generator=torch.Generator().manual_seed(1))
    shuffled = look(heatmap.flatten()[order].reshape(8, 8), mask=seen.mask.flatten()[order].reshape(8, 8))
    assert measured(Energy(), seen) == pytest.approx(measured(Energy(), shuffled))
    assert measured(Energy(), seen) == pytest.approx(measured(Energy(), look(heatmap * 0.125, (box,))))


def test_a_box_that_is_the_whole_photo_wins_nothing():
    assert corrected(1.0, 1.0) == 0.0


def test_chance_is_0_however_its_last_digits_were_rounded():
    assert 0.1 + 0.2 != 0.3
    assert corrected(0.1 + 0.2, 0.3) == corrected(0.3, 0.1 + 0.2) == 0.0
    assert corrected(0.3001, 0.3) == pytest.approx(1 / 7000)


def test_the_corrected_energy_ends_at_minus_1_even_outside_a_box_of_three_quarters():
    assert corrected(0.0, 0.75) == -1.0
    assert corrected(0.0, 0.25) == pytest.approx(-1 / 3)


def test_a_sum_of_nothing_is_no_share():
    assert energy(torch.tensor([[1.0, -1.0]]), torch.tensor([[True, False]])) == 0.0


def test_two_boxes_are_one_region():
    boxes = (Box(0, 0, 1, 1), Box(0, 0, 1, 2))
    assert measured(Energy(), look(torch.ones(2, 2), boxes))[""] == 0.5


def test_without_a_pixel_in_a_box_there_is_no_score():
    for seen in (look(torch.ones(2, 2)), look(torch.ones(2, 2), (Box(0.6, 0, 1.4, 2),))):
        assert all(math.isnan(value) for value in measured(Energy(), seen).values())


def test_quantus_sums_the_raw_map_from_which_no_minimum_was_taken():
    quantus = pytest.importorskip("quantus")
    raw = torch.tensor([[2.0, 1.0], [2.0, 5.0]])
    seen = look((raw - 1) / 4, CORNER, raw=raw)
    theirs = quantus.RelevanceMassAccuracy(disable_warnings=True)(
        None, np.zeros((1, 1, 2, 2)), None, a_batch=raw[None, None].numpy(), s_batch=seen.mask[None, None].numpy()
    )
    preset = Energy(**Energy.presets["quantus"])
    assert measured(preset, seen)[""] == pytest.approx(theirs[0]) == 0.2
    assert measured(Energy(), seen)[""] == pytest.approx(1 / 6)


def test_where_quantus_has_nan_a_map_without_light_has_0():
    quantus = pytest.importorskip("quantus")
    dark, other = look(torch.zeros(2, 2), CORNER), look(torch.tensor([[1.0, 0.0], [1.0, 0.0]]), CORNER)
    batch = torch.stack([dark.raw, other.raw])[:, None].numpy()
    masks = torch.stack([dark.mask, other.mask])[:, None].numpy()
    with np.errstate(invalid="ignore"):
        theirs = quantus.RelevanceMassAccuracy(disable_warnings=True)(
            None, np.zeros_like(batch), None, a_batch=batch, s_batch=masks
        )
    assert math.isnan(theirs[0])
    assert theirs[1] == measured(Energy(light="raw"), other)[""] == 0.5
    assert measured(Energy(light="raw"), dark)[""] == 0.0


def test_an_unknown_convention_is_refused():
    with pytest.raises(ConfigurationError, match="light 'rwa' is not known: did you mean raw"):
        Energy(light="rwa")
