from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.evaluation.summary import summarise
from rsi_gradcam.evaluation.summary.verdicts import telling
from tests.evaluation.summary.crafted import BLOCK4, BLOCK5, INPUT, crafted, normal

GRAD, RSI = ("grad_cam", BLOCK4), ("rsi_grad_cam", BLOCK4)
GAUSSIAN, BOX = ("gaussian", INPUT), ("box", INPUT)


def said(folder, values, **how):
    return list(summarise(crafted(folder, values, **how), resamples=1000).verdicts)


def test_a_control_that_beats_every_method_is_said_first(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.5, seed=1), GAUSSIAN: normal(0.7, seed=2)}
    means = [f"{values[place].mean():.3g}" for place in (GAUSSIAN, RSI)]  # RSI: the best of those that it beats
    first, *_ = said(tmp_path, values)
    expected = f"{means[0]} against {means[1]} of rsi_grad_cam (difference 0.2"
    assert first.startswith(f"the centred Gaussian beats every method in energy at block4: {expected}")


def test_one_that_beats_some_is_said_to_beat_these(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.9, seed=1), GAUSSIAN: normal(0.7, seed=2)}
    first, *_ = said(tmp_path, values)
    assert first.startswith("the centred Gaussian beats grad_cam in energy at block4: ")
    assert "every" not in first


def test_where_less_is_better_the_lower_control_wins(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.5, seed=1), GAUSSIAN: normal(0.1, seed=2)}
    first, *_ = said(tmp_path, values, better="lower")
    assert first.startswith("the centred Gaussian beats every method")
    assert "of grad_cam (difference −0.3" in first


def test_a_control_at_the_input_is_compared_with_every_layer(tmp_path):
    values = {GRAD: normal(0.4), ("grad_cam", BLOCK5): normal(0.9, seed=1), GAUSSIAN: normal(0.7, seed=2)}
    beats = [line for line in said(tmp_path, values) if "beats" in line]
    assert len(beats) == 1
    assert "at block4" in beats[0]


def test_the_box_is_a_bound_and_never_wins(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.4, seed=1), BOX: normal(0.95, seed=2)}
    lines = said(tmp_path, values)
    assert not any("beats" in line for line in lines)
    assert any(line.startswith("the box itself is a bound and no rival: energy 0.9") for line in lines)


@pytest.mark.parametrize(
    ("better", "winner", "loser"), [("higher", "rsi_grad_cam", "grad_cam"), ("lower", "grad_cam", "rsi_grad_cam")]
)
def test_a_method_is_better_with_its_difference_over_the_other(tmp_path, better, winner, loser):
    values = {GRAD: normal(0.4), RSI: normal(0.6, seed=1)}
    (line,) = said(tmp_path, values, better=better)
    sign = "" if better == "higher" else "−"
    assert line.startswith(f"{winner} is better than {loser} in energy at block4 (difference {sign}0.")
    assert "p < 0.0001" in line


def test_where_the_interval_holds_0_no_difference_is_seen(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.4, seed=1)}
    (line,) = said(tmp_path, values)
    assert line.startswith("no difference seen in energy at block4: grad_cam and rsi_grad_cam (difference ")


def test_two_that_are_the_same_do_not_differ(tmp_path):
    (line,) = said(tmp_path, {GRAD: normal(0.4), RSI: normal(0.4)})
    assert "(difference 0, 0 to 0)" in line


def test_means_and_ranks_that_disagree_claim_nothing(tmp_path):
    first = normal(0.0, 200, spread=0.01)
    first[:30] += 3.0  # a few photos carry the mean, most are slightly below
    values = {GRAD: first, RSI: np.full(200, 0.02)}
    (line,) = said(tmp_path, values)
    assert line.startswith("unclear in energy at block4")


def test_what_is_never_better_is_not_judged(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.9, seed=1), GAUSSIAN: normal(0.7, seed=2)}
    assert said(tmp_path, values, better="neither") == []


def test_data_without_any_difference_give_no_winner_in_hardly_any_table(tmp_path):
    places = [GRAD, RSI, ("integrated_grad_cam", BLOCK4), GAUSSIAN, ("edges", INPUT)]
    won = 0
    for table in range(10):
        values = {place: normal(0.5, 24, 100 * table + number) for number, place in enumerate(places)}
        found = summarise(crafted(tmp_path / str(table), values), resamples=100)
        won += any(pair.outcome in ("first", "second") for pair in found.pairs)
    assert won <= 2


def test_one_picture_has_no_interval_so_nothing_can_be_told(tmp_path):
    (line,) = said(tmp_path, {GRAD: [0.4], RSI: [0.9]})
    assert line.startswith(
        "cannot be told in energy at block4, one picture gives neither interval nor test: grad_cam"
    )


def test_where_neither_is_better_the_outcome_says_which_is_higher(tmp_path):
    values = {GRAD: normal(0.4), RSI: normal(0.9, seed=1)}
    (pair,) = summarise(crafted(tmp_path, values, better="neither"), resamples=200).pairs
    assert pair.outcome == "lower"
    assert summarise(crafted(tmp_path, values, better="neither"), resamples=200).as_dict()["pairs"][0]["outcome"] == (
        "lower"
    )


def test_numbers_that_are_the_same_for_all_are_not_telling(tmp_path):
    zero = np.zeros(20)
    even = summarise(crafted(tmp_path / "even", {GRAD: zero, RSI: zero, GAUSSIAN: zero}), resamples=100)
    assert len(even.pairs) == 3
    assert telling(even.pairs) == []
    other = summarise(crafted(tmp_path / "other", {GRAD: zero, RSI: zero, GAUSSIAN: zero + 0.1}), resamples=100)
    assert telling(other.pairs) == list(other.pairs)
