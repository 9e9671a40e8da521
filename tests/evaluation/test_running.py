from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace

import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.engines.local import Local
from rsi_gradcam.evaluation.plan import Shard, pending
from rsi_gradcam.evaluation.running import Evaluation
from rsi_gradcam.evaluation.selection import CHOSEN, Selection
from rsi_gradcam.evaluation.store import Store
from tests.evaluation.killed import LEAN
from tests.evaluation.small import Drawn, begun, everything, finished, network, predicted, rows_of, small_protocol


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    return finished(tmp_path_factory.mktemp("running") / "store")


def test_a_run_in_pieces_gives_the_rows_of_an_undisturbed_one(tmp_path, undisturbed):
    for _ in range(4):
        evaluation = begun(tmp_path / "store")
        chunks = pending(evaluation.store)
        random.Random(0).shuffle(chunks)
        next(evaluation.run(Local(), chunks))  # and then it is broken off
    assert begun(tmp_path / "store").store.missing() == []
    assert everything(Store.open(tmp_path / "store")).equals(everything(undisturbed))


def test_nothing_runs_twice(tmp_path):
    store = finished(tmp_path / "store")
    before = {path.name: path.stat().st_mtime_ns for path in store.parts()}
    made = []
    evaluation = begun(tmp_path / "store")
    assert list(evaluation.run(Local(), pending(evaluation.store), made.append)) == []
    assert made == []
    assert {path.name: path.stat().st_mtime_ns for path in store.parts()} == before


def test_an_interruption_keeps_what_is_done(tmp_path, undisturbed):
    def stop(rows):
        if rows[0]["index"] == 7:
            raise KeyboardInterrupt

    evaluation = begun(tmp_path / "store")
    with pytest.raises(KeyboardInterrupt):
        list(evaluation.run(Local(), evaluation.store.missing(), stop))
    assert evaluation.store.done() == {0, 1}
    assert everything(finished(tmp_path / "store")).equals(everything(undisturbed))


def test_four_shards_in_one_store_are_one_run(tmp_path, undisturbed):
    for number in (3, 1, 4, 2):
        evaluation = begun(tmp_path / "store")
        list(evaluation.run(Local(), pending(evaluation.store, Shard(number, 4))))
    assert everything(Store.open(tmp_path / "store")).equals(everything(undisturbed))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"steps": 5}, "explain.steps is 4 there and 5 here"),
        ({"steps": None, "tolerance": 0.1}, "explain.steps is 4 there and nothing here"),
        ({"methods": ["grad_cam"]}, "methods is grad_cam, integrated_grad_cam, rsi_grad_cam there and grad_cam here"),
        ({"layers": ["features.5"]}, "layers.features.4 is features.4 there and nothing here"),
        ({"with_controls": False}, "controls is activation, "),
        ({"score": "logit"}, "explain.score is softmax there and logit here"),
        ({"baseline": "white"}, "explain.baseline is Black("),
        ({"selection": Selection("paper")}, "selection.name is none there and paper here"),
        ({"seed": 1}, "seed is 0 there and 1 here"),
        ({"threads": 2}, "threads is 1 there and 2 here"),
        ({"metric_preset": "torchcam"}, "metrics[energy].preset is paper there and torchcam here"),
    ],
)
def test_another_configuration_is_refused_in_a_line(tmp_path, said, why):
    begun(tmp_path / "store")
    with pytest.raises(ConfigurationError) as error:
        begun(tmp_path / "store", **said)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


def test_other_data_is_refused(tmp_path):
    begun(tmp_path / "store", Drawn(10))
    for other in (Drawn(11), Drawn(10, labels=("ant",)), Drawn(10, boxes=((),))):
        with pytest.raises(ConfigurationError, match=r"holds another evaluation: dataset\."):
            begun(tmp_path / "store", other)


def test_a_network_with_other_weights_is_refused(tmp_path):
    begun(tmp_path / "store")
    with pytest.raises(ConfigurationError, match=r"network.weights_hash is \w+ there and \w+ here"):
        Evaluation.begin(tmp_path / "store", lambda: network(seed=1), Drawn(), small_protocol())


def test_a_worker_whose_network_is_another_refuses_to_work(tmp_path):
    evaluation = begun(tmp_path / "store")
    with pytest.raises(ConfigurationError, match="the network here is another"):
        list(evaluation.run(Local(network(seed=1)), [0]))


def test_the_part_size_of_a_store_that_was_begun_holds(tmp_path, undisturbed):
    finished(tmp_path / "store", part_size=3)
    assert begun(tmp_path / "store", part_size=5).recipe.photos_of(1) == range(3, 6)


def test_photos_that_failed_are_tried_once_more_when_asked(tmp_path, undisturbed):
    broken = Drawn(broken=(4,))
    store = finished(tmp_path / "store", broken)
    assert pending(store) == []
    assert pending(store, retry=True) == [1]
    mended = Evaluation(replace(begun(tmp_path / "store", broken).recipe, dataset=Drawn()), store)
    list(mended.run(Local(), pending(store, retry=True)))
    assert everything(store).equals(everything(undisturbed))


def test_the_photos_that_were_kept_are_listed(tmp_path):
    store = finished(tmp_path / "store", Drawn(8, labels=(predicted(0), None, 4)), selection=Selection("paper"))
    kept = [row["photo"] for row in rows_of(store, kind="photo", left_out="")]
    lines = (store.folder / CHOSEN).read_text().splitlines()
    assert lines[0] == "photo,index,label,predicted,category,probability"
    assert [line.split(",")[0] for line in lines[1:]] == kept
    assert 0 < len(kept) < 8


def test_a_limit_takes_the_first_photos(tmp_path, undisturbed):
    evaluation = Evaluation.begin(tmp_path / "store", network, Drawn(), small_protocol(), limit=4, part_size=3)
    list(evaluation.run(Local(), evaluation.store.missing()))
    first = [row for row in rows_of(undisturbed, kind="photo") if row["index"] < 4]
    assert [row["photo"] for row in rows_of(evaluation.store, kind="photo")] == [row["photo"] for row in first]


def test_a_tolerance_may_stand_for_the_steps(tmp_path):
    store = finished(tmp_path / "store", Drawn(2), steps=None, tolerance=0.05)
    rows = rows_of(store, kind="method", method="rsi_grad_cam")
    assert all(row["converged"] is (row["error_estimate"] <= 0.05) for row in rows)
    assert store.manifest["configuration"]["explain"]["tolerance"] == 0.05


def test_killed_at_twenty_moments_the_store_is_that_of_an_undisturbed_run(tmp_path):
    undisturbed = finished(tmp_path / "undisturbed", **LEAN)
    told = subprocess.run(
        [sys.executable, "-m", "tests.evaluation.killed", str(tmp_path / "store"), "20"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout.split() == ["20", "killed"]
    store = Store.open(tmp_path / "store")
    assert everything(store).equals(everything(undisturbed))
    assert sorted(path.name for path in store.folder.iterdir()) == [
        CHOSEN,
        "manifest.json",
        *(f"part-{chunk:08d}.parquet" for chunk in range(4)),
    ]
