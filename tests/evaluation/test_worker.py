from __future__ import annotations

import io

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from rsi_gradcam import explain, metrics
from rsi_gradcam.evaluation import looking
from rsi_gradcam.evaluation.schema import unpacked
from rsi_gradcam.evaluation.selection import Selection
from rsi_gradcam.evaluation.worker import seed_of
from rsi_gradcam.heatmap import normalise
from rsi_gradcam.images.box import Box
from rsi_gradcam.metrics.base import Metric
from rsi_gradcam.targets import Softmax
from tests.evaluation.small import CATEGORIES, LAYERS, Drawn, finished, network, predicted, rows_of, worker

METHODS = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return finished(tmp_path_factory.mktemp("worker") / "store", Drawn(4))


def test_the_small_network_tells_photos_apart():
    assert len({predicted(index) for index in range(10)}) > 1


def test_rows_come_photo_by_photo_first_methods_by_layer_then_controls(store):
    rows = rows_of(store, photo="001.png")
    assert [(row["kind"], row["method"], row["layer"]) for row in rows] == [
        ("photo", "", ""),
        *(("method", method, layer) for method in METHODS for layer in LAYERS),
        *(("control", "activation", layer) for layer in LAYERS),
        *(("control", name, "input") for name in ("box", "edges", "gaussian", "ones")),
        *(("control", "random", layer) for layer in LAYERS),
    ]
    assert [row["photo"] for row in rows_of(store, kind="photo")] == [f"{i:03d}.png" for i in range(4)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("layer", LAYERS)
def test_a_row_holds_what_explaining_the_photo_alone_gives(store, method, layer):
    dataset, own = Drawn(4), network()
    x = own.preprocess(dataset.photo(dataset.examples()[2]))[None]
    black = own.baseline("black")
    alone = explain(own.network, x, layer, method, Softmax(predicted(2)), black, preset="paper", steps=4)
    (row,) = rows_of(store, photo="002.png", method=method, layer=layer)
    assert np.allclose(unpacked(row), alone.raw[0], rtol=2e-3, atol=1e-3 * float(alone.raw.abs().max()))
    assert row["score"] == pytest.approx(float(alone.score[0]), rel=1e-5)
    assert row["category"] == predicted(2)
    if method != "grad_cam":
        assert row["residual"] == pytest.approx(float(alone.residual[0]), abs=1e-6)
        assert row["is_cut"] is True
    assert row["passes"] == float(alone.passes[0])


def test_a_metric_is_measured_on_the_heatmap_at_the_inputs_size_and_the_carried_box(store):
    dataset, own = Drawn(4), network()
    photo = dataset.photo(dataset.examples()[1])
    alone = explain(
        own.network,
        own.preprocess(photo)[None],
        LAYERS[0],
        "rsi_grad_cam",
        Softmax(predicted(1)),
        own.baseline("black"),
        preset="paper",
        steps=4,
    )
    inside = total = 0.0
    for y in range(16):
        for x in range(16):  # the photo of 24 × 20 is squashed to 16 × 16: its box is (2, 1.6, 8, 8.8) there
            value = float(alone.heatmap[0, y, x])
            total += value
            inside += value if 2 < x + 0.5 < 8 and 1.6 < y + 0.5 < 8.8 else 0.0
    (row,) = rows_of(store, photo="001.png", method="rsi_grad_cam", layer=LAYERS[0])
    assert row["energy"] == pytest.approx(inside / total, rel=1e-4)
    assert row["box_share"] == pytest.approx(9 * 9 / (24 * 20))
    pixels = own.preprocess.pixels(photo) * alone.heatmap[0]
    with torch.inference_mode():
        shown = own.network(own.preprocess.normalise(pixels)[None]).softmax(1)[0, predicted(1)]
    assert row["average_drop_explained"] == pytest.approx(float(shown), rel=1e-4)


def test_the_box_is_a_bound_and_has_no_map(store):
    for row in rows_of(store, method="box"):
        assert row["energy"] == 1
        assert row["map"] is None


def test_the_random_control_is_the_photos_own(store):
    maps = {row["photo"]: unpacked(row) for row in rows_of(store, method="random", layer=LAYERS[1])}
    drawn = torch.rand((4, 4), generator=torch.Generator().manual_seed(seed_of(0, "003.png")))
    assert np.allclose(maps["003.png"], drawn, atol=1e-3)
    assert not np.allclose(maps["003.png"], maps["002.png"], atol=1e-2)


def test_a_part_does_not_depend_on_what_was_made_before(tmp_path):
    def part(made, chunk):
        return pq.read_table(io.BytesIO(made.part(chunk))).drop_columns("seconds")

    one, other = worker(tmp_path / "store"), worker(tmp_path / "store")
    first, second, again = part(one, 0), part(one, 2), part(one, 0)
    assert first.equals(again)
    assert part(other, 2).equals(second)
    assert not first.equals(second)


def test_a_photo_that_cannot_be_read_is_a_row_and_the_others_go_on(tmp_path):
    store = finished(tmp_path / "store", Drawn(5, broken=(1, 4)))
    assert [row["error"] for row in rows_of(store, kind="photo")] == [
        "",
        "ImageError: 001.png is broken",
        "",
        "",
        "ImageError: 004.png is broken",
    ]
    assert [row["kind"] for row in rows_of(store, photo="001.png")] == ["photo"]
    assert store.funnel() == {"photos": 5, "failed": 2, "kept": 3}


def test_a_photo_whose_class_does_not_exist_fails_alone(tmp_path):
    store = finished(tmp_path / "store", Drawn(2, labels=("zebra", "ant")))
    errors = [row["error"] for row in rows_of(store, kind="photo")]
    assert errors[0].startswith("TargetError: the label 'zebra' is no class of this network by its whole name")
    assert errors[1] == ""


def test_a_label_that_is_a_part_of_a_classs_name_is_not_taken_for_it(tmp_path):
    store = finished(tmp_path / "store", Drawn(3, labels=("an", "ANT", "el")))
    errors = [row["error"] for row in rows_of(store, kind="photo")]
    assert [error.partition(" is ")[0] for error in errors] == [
        "TargetError: the label 'an'",
        "",
        "TargetError: the label 'el'",
    ]


def test_a_controls_raw_map_is_measured_as_it_is_drawn(tmp_path):
    """A control's heatmap is made of the signed map, so its negative side counts."""
    said = {"with_controls": ("activation", "ones"), "metric_names": ("intensity", "stability")}
    store = finished(tmp_path / "store", Drawn(1), layers=("features.3",), **said)
    rows = rows_of(store, kind="control", method="activation")
    raws = [torch.from_numpy(unpacked(row)) for row in rows]
    assert any(raw.amin() < 0 for raw in raws)
    for row, raw in zip(rows, raws, strict=True):
        assert row["intensity_normalised"] == pytest.approx(float(normalise(raw[None], 1e-8).mean()), abs=1e-3)
    (ones,) = rows_of(store, kind="control", method="ones")
    assert (ones["intensity_normalised"], ones["stability"]) == (1, 1)


def test_the_class_that_is_explained_is_the_data_sets_else_the_predicted(tmp_path):
    store = finished(tmp_path / "store", Drawn(3, labels=("elk", None, 0)))
    rows = rows_of(store, kind="photo")
    assert [row["label"] for row in rows] == [4, None, 0]
    assert [row["predicted"] for row in rows] == [predicted(0), predicted(1), predicted(2)]
    assert [row["category"] for row in rows] == [4, predicted(1), 0]


def test_each_filter_leaves_out_its_own_and_measures_nothing_of_it(tmp_path):
    right = CATEGORIES[predicted(0)], (predicted(1) + 1) % 5, predicted(2), predicted(3), predicted(4), None
    small, large = Box(3, 2, 12, 11), Box(0, 0, 24, 10)
    boxes = ((small,), (small, small), (), (small, small), (large,), (small,))
    store = finished(tmp_path / "store", Drawn(6, right, boxes), selection=Selection("paper"))
    rows = rows_of(store, kind="photo")
    assert [row["left_out"] for row in rows] == ["", "wrong class", "no box", "several boxes", "large box", ""]
    assert [row["boxes"] for row in rows] == [1, 2, 0, 2, 1, 1]
    assert {row["photo"] for row in rows_of(store, kind="method")} == {"000.png", "005.png"}
    assert rows[1]["probability"] is not None
    assert list(store.funnel().values()) == [6, 0, 5, 3, 2, 2]


def test_a_photo_without_boxes_has_null_where_boxes_are_needed_and_no_oracle(tmp_path):
    store = finished(tmp_path / "store", Drawn(2, boxes=((),)))
    rows = rows_of(store, photo="000.png", kind="method")
    assert all(row["energy"] is None and row["overlap_iou"] is None for row in rows)
    assert all(row["average_drop_drop"] is not None for row in rows)
    assert not rows_of(store, method="box")


def test_a_photo_is_shown_as_often_as_it_must_be(tmp_path, monkeypatch):
    """Once to look at it, 4 steps of the path and the photo at their end, and the explanation map of each map."""
    made = worker(tmp_path / "store", Drawn(3), with_controls=False)
    made.part(0)
    shown: list[int] = []
    handle = network().network.features[0].register_forward_hook(lambda _m, x, _y: shown.append(len(x[0])))
    try:
        made.part(0)
    finally:
        handle.remove()
    assert sum(shown) == 3 * (1 + 5 + 6)


def test_equal_probes_of_a_map_are_asked_once(tmp_path, monkeypatch):
    asked: list[int] = []
    ask = looking.Eye.answers

    def answers(self, inputs):
        found = ask(self, inputs)
        asked.append(len(found))
        return found

    monkeypatch.setattr(looking.Eye, "answers", answers)
    made = worker(tmp_path / "store", Drawn(1), metric_names=["average_drop"], with_controls=False)
    twice = made.recipe.protocol.metrics * 2
    object.__setattr__(made.eye, "protocol", type(made.eye.protocol)(**{**vars(made.eye.protocol), "metrics": twice}))
    made.part(0)
    assert asked == [6]


def test_every_metric_there_is_runs_and_none_gives_nan(tmp_path):
    store = finished(tmp_path / "store", Drawn(1), metric_names=["all"], with_controls=False, layers=LAYERS[-1:])
    assert [row["error"] for row in rows_of(store, kind="photo")] == [""]
    rows = rows_of(store, kind="method")
    assert len(rows) == 3
    for kind in metrics.catalogue().values():
        assert issubclass(kind, Metric)
        named = [name for name in store.schema.names if name.startswith(kind.name)]
        assert named
        values = [row[name] for row in rows for name in named if row[name] is not None]
        assert values, kind.name
        assert not any(np.isnan(np.asarray(value, float)).any() for value in values)


def test_methods_at_the_input_and_configured_ones_have_their_rows(tmp_path):
    said = ["integrated_gradients", "rsi_grad_cam", "rsi_grad_cam(units=relu)", "rsi_grad_cam(units=positive)"]
    store = finished(tmp_path / "store", Drawn(1), methods=said, with_controls=False)
    assert [(row["method"], row["layer"]) for row in rows_of(store, kind="method")] == [
        ("integrated_gradients", "input"),
        *(("rsi_grad_cam", layer) for layer in LAYERS),
        *(("rsi_grad_cam(units=relu)", layer) for layer in LAYERS),
    ]
    assert rows_of(store, method="integrated_gradients")[0]["map_height"] == 16
