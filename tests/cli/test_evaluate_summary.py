from __future__ import annotations

import csv
import json
from dataclasses import replace

import pytest

from rsi_gradcam.evaluation.summary import summarise
from tests.evaluation.summary.crafted import BLOCK4, INPUT, crafted, normal
from tests.evaluation.synthetic import synthetic_store


@pytest.fixture
def store(here):
    synthetic_store(here / "evaluation", photos=40)
    return here / "evaluation"


def summed(run, *args):
    result = run("evaluate", "summary", *args, "--resamples", "100")
    assert result.exit_code == 0, result.output
    return result.stdout


def test_funnel_first_then_tables_then_verdicts_then_notes(store, run):
    said = summed(run, "--metrics", "energy,darkness")
    places = [
        said.index(each) for each in ("funnel: 40 photos → ", "method  ", "• rsi_grad_cam is better", "• note: ")
    ]
    assert places == sorted(places)
    assert "energy ↑" in said
    assert "darkness_1e-08 ↓" in said
    assert "control gaussian" in said
    assert "bound box" in said
    assert "energy, without dark" in said


def test_no_line_is_wider_than_100(store, run):
    assert max(map(len, summed(run).splitlines())) <= 100


def test_a_long_name_and_a_long_layer_stay_within_100_too(here, run):
    long = "rsi_grad_cam"
    crafted(here / "evaluation", {(long, BLOCK4): 1e-9 * normal(0.4), ("grad_cam", BLOCK4): -1e-9 * normal(0.5)})
    assert max(map(len, summed(run).splitlines())) <= 100


def test_where_a_control_wins_the_first_sentence_says_so(here, run):
    values = {("grad_cam", BLOCK4): normal(0.4), ("gaussian", INPUT): normal(0.7, seed=1)}
    crafted(here / "evaluation", values)
    first = next(line for line in summed(run).splitlines() if line.startswith("•"))
    assert first.startswith("• the centred Gaussian beats grad_cam in energy at block4: ")


def test_json_is_the_whole_summary_in_one_line(store, run):
    from rsi_gradcam.evaluation.store import Store

    (line,) = summed(run, "--json").splitlines()
    expected = summarise(Store.open(store), resamples=100).as_dict()
    assert json.loads(line) == json.loads(json.dumps(expected))


def test_csv_holds_the_table_and_its_comparisons(store, run, here):
    said = json.loads(summed(run, "--json", "--csv", "table.csv", "--metrics", "energy"))
    with (here / "table.csv").open() as file:
        rows = list(csv.DictReader(file))
    with (here / "table.pairs.csv").open() as file:
        pairs = list(csv.DictReader(file))
    assert [float(row["interval_low"]) for row in rows] == [row["interval"]["low"] for row in said["rows"]]
    assert [float(pair["p_holm"]) for pair in pairs] == [pair["p_holm"] for pair in said["pairs"]]
    assert pairs[0]["first_method"] == "grad_cam"


def test_a_folder_that_is_no_store_is_one_line_and_code_2(here, run):
    result = run("evaluate", "summary", here)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_metric_that_was_not_measured_gets_a_hint(store, run):
    result = run("evaluate", "summary", "--metrics", "enrgy")
    assert result.exit_code == 2
    assert "did you mean energy" in result.stderr


def test_undecided_cases_are_counted_and_said_with_all(store, run):
    short, whole = summed(run, "--metrics", "energy"), summed(run, "--metrics", "energy", "--all")
    left_out = whole.count("• no difference seen") + whole.count("• unclear")
    assert left_out > 0
    assert "no difference seen in" not in short
    assert f"• left out: {left_out} on what was not seen" in short
    assert "left out" not in whole


def test_numbers_that_are_the_same_for_all_are_not_spoken_of_but_stay_in_json(here, run):
    crafted(here / "evaluation", {("grad_cam", BLOCK4): [0.0] * 20, ("gaussian", INPUT): [0.0] * 20})
    assert "energy at block4" not in summed(run, "--all")
    said = json.loads(summed(run, "--json"))
    assert [pair["outcome"] for pair in said["pairs"]] == ["none"]
    assert any("no difference seen in energy at block4" in each for each in said["verdicts"])


def test_csv_holds_the_numbers_of_the_whole_set(here, run):
    from rsi_gradcam.cli.summing_up import write_csv
    from rsi_gradcam.evaluation.summary.pooled import Pooled

    made = summarise(crafted(here / "evaluation", {("grad_cam", BLOCK4): normal(0.4)}), resamples=100)
    write_csv(made, here / "table.csv")
    assert not (here / "table.whole.csv").exists()
    pooled = Pooled("method", "grad_cam", BLOCK4, "px_ap", "pooled", 0.5)
    write_csv(replace(made, pooled=(pooled,)), here / "table.csv")
    with (here / "table.whole.csv").open() as file:
        (row,) = csv.DictReader(file)
    assert (row["metric"], row["name"], float(row["value"])) == ("px_ap", "pooled", 0.5)
