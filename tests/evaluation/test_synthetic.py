from __future__ import annotations

import numpy as np

from rsi_gradcam.evaluation.schema import metric_columns
from tests.evaluation.synthetic import METHODS, synthetic_manifest, synthetic_store


def test_it_has_everything_that_readers_must_cope_with(tmp_path):
    store = synthetic_store(tmp_path / "store")
    funnel = store.funnel()
    assert funnel["photos"] == 40
    assert funnel["failed"] == 1
    assert 20 < funnel["kept"] < 36
    photos = store.read(("left_out", "error"), kinds=("photo",))
    assert {"", "wrong class", "no box", "several boxes", "large box"} == set(photos["left_out"].to_pylist())
    table = store.read(("method", "layer", "darkness_1e-08"))
    dark = [row for row in table.to_pylist() if row["darkness_1e-08"] == 1]
    assert dark
    assert all(row["method"] in (*METHODS, "ones") for row in dark)


def test_no_metric_is_nan_and_curves_have_as_many_values_as_points(tmp_path):
    store = synthetic_store(tmp_path / "store", photos=10)
    columns = metric_columns(synthetic_manifest())
    table = store.read([column["name"] for column in columns])
    for column in columns:
        values = table[column["name"]].to_pylist()
        assert not np.isnan(np.asarray(values, float)).any()
        assert not column["curve"] or {len(value) for value in values} == {19}


def test_the_same_seed_gives_the_same_store(tmp_path):
    one, same, other = (synthetic_store(tmp_path / name, 10, seed) for name, seed in (("a", 0), ("b", 0), ("c", 1)))
    assert one.read(one.schema.names).equals(same.read(same.schema.names))
    assert not one.read(("energy",)).equals(other.read(("energy",)))
