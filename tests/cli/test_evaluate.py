"""`evaluate run`, `status`, `merge`; and that whatever one does wrong with them is one line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.cli.evaluation_bar import Means
from rsi_gradcam.evaluation.store import Store
from tests.cli.test_wrong_use import FAILED, WRONG_USE, Wrong
from tests.evaluation.small import everything
from tests.evaluation.synthetic import synthetic_manifest, synthetic_store

TINY = "--model own_networks:tiny --steps 2 --no-controls --metrics energy,average_drop --threads 1 --part-size 2"
LABELS = ("dog", "house", "0", "blue cat", "dog")


@pytest.fixture
def table(here):
    """Five photos with a box each, and a list of them."""
    lines = ["path,label,xmin,ymin,xmax,ymax"]
    for index, label in enumerate(LABELS):
        noise = np.random.default_rng(index).integers(0, 256, (20, 30, 3), np.uint8)
        Image.fromarray(noise).save(here / f"{index}.png")
        lines.append(f"{index}.png,{label},2,3,20,{18 if index == 1 else 12}")
    (here / "list.csv").write_text("\n".join(lines))
    return here / "list.csv"


def evaluate(run, command):
    result = run("evaluate", *command.split())
    assert result.exit_code == 0, result.output
    return result


def test_a_run_tells_the_funnel_and_where_it_is(run, table):
    result = evaluate(run, f"run list.csv {TINY} --select none --out store")
    assert result.stdout.splitlines() == [
        "manifest with own_networks:tiny at 0.3: grad_cam, integrated_grad_cam, rsi_grad_cam",
        "5 of 5 photos done",
        "funnel: 5 photos → 5 kept",
        "all of it → store",
    ]
    assert Store.open("store").missing() == []


def test_boxed_data_are_selected_as_in_the_paper(run, table):
    said = json.loads(evaluate(run, f"run manifest:list.csv {TINY} --out store --json").stdout)
    rows = Store.open("store").read(("label", "predicted", "left_out"), kinds=("photo",)).to_pylist()
    right = [row["label"] == row["predicted"] for row in rows]
    assert said["funnel"]["right class"] == sum(right)
    assert said["funnel"]["kept"] == sum(row["left_out"] == "" for row in rows) <= sum(right)
    assert said["failed"] == {}


def test_the_same_command_goes_on_and_does_nothing_twice(run, table):
    whole = f"run list.csv {TINY} --select none --out store"
    evaluate(run, whole)
    before = everything(Store.open("store"))
    Store.open("store").part(1).unlink()
    assert "1 of 3 parts are missing" in evaluate(run, "status store").stdout
    kept = Store.open("store").part(0).stat().st_mtime_ns
    evaluate(run, whole)
    assert everything(Store.open("store")).equals(before)
    assert Store.open("store").part(0).stat().st_mtime_ns == kept


def test_shards_are_merged_to_the_whole(run, table):
    evaluate(run, f"run list.csv {TINY} --select none --out whole")
    for number in (1, 2):
        evaluate(run, f"run list.csv {TINY} --select none --shard {number}/2 --out part{number}")
    said = evaluate(run, "merge part1 part2 --out store").stdout
    assert "all of it → store" in said
    assert everything(Store.open("store")).equals(everything(Store.open("whole")))


def test_of_a_finished_shard_it_is_said_whose_the_missing_parts_are(run, table, monkeypatch):
    monkeypatch.setattr("sys.argv", ["rsi-gradcam", "evaluate", "run", "--shard", "1/3"])
    said = evaluate(run, f"run list.csv {TINY} --select none --shard 1/3 --out store").stdout
    assert "2 of 3 parts are missing, of the shards 2/3, 3/3: the command of each makes its own" in said
    assert "the same command goes on" not in said
    monkeypatch.setattr("sys.argv", ["rsi-gradcam", "evaluate", "status"])
    evaluate(run, f"run list.csv {TINY} --select none --shard 2/3 --out store")
    assert "1 of 3 parts are missing, all of shard 3/3: its own command" in evaluate(run, "status store").stdout
    assert json.loads(evaluate(run, "status store --json").stdout)["unfinished_shards"] == ["3/3"]


def test_torchrun_shards_by_itself_and_says_so(run, table, monkeypatch):
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    result = evaluate(run, f"run list.csv {TINY} --select none --out store")
    assert result.stdout.startswith("part 2 of 2, as torchrun says\n")
    assert Store.open("store").done() == {1}


def test_a_photo_that_fails_is_told_and_tried_once_more(run, table):
    whole = (table.parent / "2.png").read_bytes()
    (table.parent / "2.png").write_bytes(whole[:50])
    result = evaluate(run, f"run list.csv {TINY} --select none --out store")
    assert "failed: 2.png: ImageError: " in result.stdout
    assert "photos that failed are tried once more with --retry" in result.stdout
    (table.parent / "2.png").write_bytes(whole)
    assert "failed: 2.png" in evaluate(run, f"run list.csv {TINY} --select none --out store").stdout
    assert "failed" not in evaluate(run, f"run list.csv {TINY} --select none --out store --retry").stdout


def test_if_all_photos_fail_the_run_has_failed(run, table):
    for index in range(5):
        (table.parent / f"{index}.png").write_bytes(b"no photo")
    assert run("evaluate", "run", "list.csv", *TINY.split(), "--out", "store").exit_code == FAILED


def test_methods_with_parameters_are_parted_outside_brackets(run, table):
    said = "grad_cam,rsi_grad_cam(units=relu,rule=left)"
    evaluate(run, f"run list.csv {TINY} --select none --limit 1 --out store --methods {said}")
    names = Store.open("store").read(("method",))["method"].to_pylist()
    assert names == ["grad_cam", "rsi_grad_cam(rule=left, units=relu)"]


def test_fields_of_the_data_set_may_be_given(run, table):
    evaluate(run, f"run mosaic:list.csv --with count=3 --with tile=8 --limit 2 {TINY} --out store")
    configuration = Store.open("store").manifest["configuration"]
    assert "count=3" in configuration["dataset"]["configuration"]
    assert configuration["dataset"]["examples"] == 2


def test_an_interrupted_run_says_that_what_is_done_is_kept(run, table, monkeypatch):
    from rsi_gradcam.evaluation import worker

    first = worker.Worker.rows

    def rows(self, photo):
        if photo.index == 3:
            raise KeyboardInterrupt
        return first(self, photo)

    monkeypatch.setattr(worker.Worker, "rows", rows)
    result = run("evaluate", "run", "list.csv", *TINY.split(), "--select", "none", "--out", "store")
    assert result.exit_code == 130
    assert "what is done is kept in store, the same command goes on" in result.stderr
    assert Store.open("store").done() == {0}


def test_the_threads_of_a_store_that_was_begun_hold(run, table):
    evaluate(run, f"run list.csv {TINY} --select none --out store --shard 1/2")
    evaluate(run, f"run list.csv {TINY.replace('--threads 1', '')} --select none --out store")
    assert Store.open("store").manifest["configuration"]["threads"] == 1


def test_running_means_are_of_the_last_layer_and_the_first_headline_metrics(tmp_path):
    store = synthetic_store(tmp_path / "store", 16)
    means = Means.of(synthetic_manifest(16))
    rows = store.read(store.schema.names, ("photo", "method", "control")).to_pylist()
    means.add(rows)
    energies = [row["energy"] for row in rows if (row["method"], row["layer"]) == ("rsi_grad_cam", "features.20")]
    assert f"rsi_grad_cam {np.mean(energies):.3f}" in str(means)
    assert str(means).startswith("energy: grad_cam ")
    assert "box" not in str(means)


WRONG = {
    "unknown command": Wrong("evaluate rnu", "run"),
    "unknown data set": Wrong("evaluate run mosaik", "mosaik"),
    "unknown kind": Wrong("evaluate run pascal:here", "'pascal' is no kind of data set"),
    "no list": Wrong("evaluate run manifest:gone.csv", "gone.csv"),
    "field without value": Wrong("evaluate run mosaic --with count", "NAME=VALUE"),
    "unknown field": Wrong("evaluate run mosaic --with counts=3", "did you mean count"),
    "unknown method": Wrong("evaluate run list.csv --methods gradcam", "did you mean grad_cam"),
    "unknown parameter": Wrong("evaluate run list.csv --methods rsi_grad_cam(unit=relu)", "did you mean units"),
    "unknown metric": Wrong("evaluate run list.csv --metrics enrgy", "did you mean energy"),
    "unknown metric preset": Wrong("evaluate run list.csv --metric-preset captum", "torchcam"),
    "unknown selection": Wrong("evaluate run list.csv --select best", "paper"),
    "unknown preset": Wrong("evaluate run list.csv --preset article", "paper"),
    "unknown engine": Wrong("evaluate run list.csv --engine spark", "local"),
    "unknown layer": Wrong(f"evaluate run list.csv {TINY} --layers stage9", "has no layer 'stage9'"),
    "layer without a map": Wrong(f"evaluate run list.csv {TINY} --layers 3", "no spatial output"),
    "absent device": Wrong("evaluate run list.csv --device cuda:7", "is not on this machine"),
    "steps and tolerance": Wrong("evaluate run list.csv --steps 5 --tolerance 0.1", "exclude each other"),
    "no shard": Wrong("evaluate run list.csv --shard 5/4", "a shard is i/n with i from 1 to n"),
    "not even a shard": Wrong("evaluate run list.csv --shard half", "a shard is i/n"),
    "limit of nothing": Wrong(f"evaluate run list.csv {TINY} --limit 0", "limit must be 1 or more"),
    "part of nothing": Wrong(f"evaluate run list.csv {TINY} --part-size 0", "part_size must be 1 or more"),
    "no threads": Wrong("evaluate run list.csv --threads -1", "threads must be 1 or more"),
    "store of another configuration": Wrong(
        f"evaluate run list.csv {TINY} --out begun", "begun holds another evaluation: dataset."
    ),
    "folder of other files": Wrong(f"evaluate run list.csv {TINY} --out .", "holds other files"),
    "file for a folder": Wrong(f"evaluate run list.csv {TINY} --out list.csv", "list.csv", FAILED),
    "status of no store": Wrong("evaluate status nowhere", "nowhere holds no evaluation"),
    "merging nothing": Wrong("evaluate merge", "STORE"),
    "merging no store": Wrong("evaluate merge nowhere", "nowhere holds no evaluation"),
    "merging other evaluations": Wrong("evaluate merge begun other --out all", "dataset.digest is 0000"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_is_one_line(name, table, run):
    wrong = WRONG[name]
    synthetic_store("begun", 8)
    synthetic_store("other", 8, seed=1)
    result = run(*wrong.command.split())
    assert (result.stderr.count("\n"), result.exit_code) == (1, wrong.code), result.output
    assert result.stderr.startswith("error: ")
    assert wrong.said in result.stderr
    assert "Traceback" not in result.output


def test_exit_codes_are_those_of_the_program():
    assert {wrong.code for wrong in WRONG.values()} == {FAILED, WRONG_USE}
