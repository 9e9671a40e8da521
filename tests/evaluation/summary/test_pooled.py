from __future__ import annotations

import json

import numpy as np
import pytest

from rsi_gradcam import metrics
from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.schema import table_of
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary import summarise
from rsi_gradcam.evaluation.summary.pooled import configured
from rsi_gradcam.metrics.overlap import Overlap
from rsi_gradcam.metrics.road import ROAD
from rsi_gradcam.statistics.choosing import choosing
from tests.evaluation.small import Drawn, finished
from tests.evaluation.summary.crafted import BLOCK4
from tests.evaluation.synthetic import METRICS, THRESHOLDS, configuration

ALL = tuple(metrics.catalogue())


@pytest.mark.parametrize("name", ALL)
def test_each_metric_is_read_back_from_its_text(name):
    kind = metrics.catalogue()[name]
    for metric in [kind(), *(kind(**fields) for fields in kind.presets.values())]:
        assert configured({"name": name, "configuration": repr(metric)}) == metric


def test_a_store_of_all_metrics_is_summarised(tmp_path):
    said = {"layers": ("features.5",), "methods": ("grad_cam",), "with_controls": ("ones",)}
    store = finished(tmp_path, Drawn(8), metric_names=ALL, **said)
    summary = summarise(store, resamples=50)
    assert {row.metric for row in summary.rows} == set(ALL)
    assert {each.metric for each in summary.pooled} == {"overlap", "max_box_acc", "px_ap"}


def test_a_store_whose_manifest_has_a_range_is_summarised(tmp_path):
    """As ROAD's percentages stood there before they were plain numbers."""
    said = {"layers": ("features.5",), "methods": ("grad_cam",), "with_controls": False}
    finished(tmp_path, Drawn(4), metric_names=("road", "overlap"), **said)
    file = tmp_path / "manifest.json"
    text = file.read_text().replace(repr(ROAD().percentages), "range(20, 100, 20)")
    assert "range" in json.loads(text)["configuration"]["metrics"][0]["configuration"]
    file.write_text(text)
    summary = summarise(Store.open(tmp_path), resamples=50)
    assert {row.metric for row in summary.rows} == {"road", "overlap"}


def test_rows_of_one_picture_are_on_one_side_of_the_choice(tmp_path):
    """Two classes of each of twelve pictures."""
    pictures = [f"{number:02d}.jpg" for number in range(12)]
    names = [f"{picture}#{label}" for picture in pictures for label in ("cat", "dog")]
    curves = np.random.default_rng(0).random((24, len(THRESHOLDS))).astype(np.float32)
    said = {**configuration(24, 0), "metrics": [each for each in METRICS if each["name"] == "overlap"]}
    store = Store.create(tmp_path, manifest_of(said, part_size=24, categories=(), environment={}, command=""))
    rows = []
    for index, (name, curve) in enumerate(zip(names, curves, strict=True)):
        photo = {"photo": name, "index": index, "left_out": "", "error": "", "probability": 0.5}
        rows.append({**photo, "kind": "photo", "method": "", "layer": ""})
        rows.append({**photo, "kind": "method", "method": "grad_cam", "layer": BLOCK4, "overlap_iou": curve})
    store.write(0, table_of(rows, store.schema))
    chosen = choosing([name.partition("#")[0] for name in names])
    assert 0 < chosen.sum() < 24
    assert (chosen != choosing(names)).any()
    found = {each.name: each.value for each in summarise(store, resamples=50).pooled}
    assert found == pytest.approx(Overlap().pooled({"iou": curves.astype(float)}, chosen))
