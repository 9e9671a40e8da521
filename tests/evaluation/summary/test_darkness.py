from __future__ import annotations

import json

import numpy as np
import pytest

from rsi_gradcam.evaluation.schema import COLUMNS
from rsi_gradcam.evaluation.store import MANIFEST, Store
from rsi_gradcam.evaluation.summary import summarise
from rsi_gradcam.evaluation.summary.darkness import dark_columns, scored_dark
from tests.evaluation.older import older
from tests.evaluation.small import Drawn, finished
from tests.evaluation.synthetic import synthetic_store


def row(summary, method, layer, column="energy"):
    (found,) = [one for one in summary.rows if (one.method, one.layer, one.column) == (method, layer, column)]
    return found


def test_dark_is_counted_at_the_runs_epsilon_and_not_at_the_metrics(tmp_path):
    said = {"preset": "none", "epsilon": 1e3, "methods": ["grad_cam"], "metric_names": ["darkness", "energy"]}
    store = finished(tmp_path / "store", Drawn(3), **said)
    told = summarise(store, resamples=100)
    dark = store.read(("method", "layer", "dark")).to_pylist()
    for layer in store.manifest["configuration"]["layers"]:
        own = [each["dark"] for each in dark if (each["method"], each["layer"]) == ("grad_cam", layer)]
        assert row(told, "grad_cam", layer).n_dark == sum(own) == 3
        assert row(told, "grad_cam", layer, "darkness").mean < 1


def test_a_store_without_the_column_takes_the_metric_if_its_epsilon_is_the_runs(tmp_path):
    store = older(synthetic_store(tmp_path / "store", 24))
    assert dark_columns(store.manifest["configuration"]) == ["dark", "darkness_1e-08"]
    assert row(summarise(store, resamples=100), "grad_cam", "features.20").n_dark > 0


def test_a_store_without_the_column_and_with_another_epsilon_says_nothing_of_dark_maps(tmp_path):
    store = older(synthetic_store(tmp_path / "store", 24))
    manifest = json.loads((store.folder / MANIFEST).read_text())
    manifest["configuration"]["explain"]["epsilon"] = 0.0
    (store.folder / MANIFEST).write_text(json.dumps(manifest))
    found = row(summarise(Store.open(store.folder), resamples=100), "grad_cam", "features.20")
    assert found.n_dark is None
    assert found.mean_without_dark == found.mean


def test_the_first_column_that_says_it_is_believed():
    nan = np.nan
    said = np.array([[1, 0], [nan, 1], [0, 1], [nan, nan]])
    np.testing.assert_array_equal(scored_dark(said), [1, 1, 0, nan])


@pytest.mark.parametrize("column", ["dark", "picture"])
def test_columns_that_older_parts_lack_are_read_as_null(tmp_path, column):
    assert column in COLUMNS
    store = older(synthetic_store(tmp_path / "store", 24), chunks=[0])
    assert store.read((column, "photo")).num_rows == sum(batch.num_rows for batch in store.batches((column,)))
    assert store.read((column,)).slice(0, 5).to_pylist() == [{column: None}] * 5
