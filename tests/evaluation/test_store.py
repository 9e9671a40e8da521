from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.schema import COLUMNS, packed, table_of, unpacked
from rsi_gradcam.evaluation.store import Store, as_bytes
from tests.evaluation.synthetic import PART_SIZE, rows_of, synthetic_manifest, synthetic_store


def written(store: Store, chunk: int) -> None:
    rows = [row for index in range(chunk * PART_SIZE, (chunk + 1) * PART_SIZE) for row in rows_of(index, 0)]
    store.write(chunk, table_of(rows, store.schema))


def test_what_is_missing_is_what_was_not_written(tmp_path):
    store = Store.create(tmp_path / "store", synthetic_manifest(30))
    assert store.missing() == [0, 1, 2, 3]
    written(store, 2)
    assert store.done() == {2}
    assert store.missing() == [0, 1, 3]
    assert store.parts() == [store.part(2)]
    assert Store.create(tmp_path / "store", synthetic_manifest(30)).missing() == [0, 1, 3]


def test_rows_come_back_as_they_were_written(tmp_path):
    store = Store.create(tmp_path / "store", synthetic_manifest(8))
    written(store, 0)
    rows = [row for index in range(8) for row in rows_of(index, 0)]
    read = store.read(store.schema.names, kinds=("photo", "method", "control")).to_pylist()
    assert len(read) == len(rows)
    for row, one in zip(rows, read, strict=True):
        for name, value in one.items():
            expected = row.get(name)
            assert value is None if expected is None else np.array_equal(value, expected), name


def test_reading_gives_the_asked_kinds_photos_and_columns_in_order(tmp_path):
    store = synthetic_store(tmp_path / "store", 20)
    table = store.read(("photo", "index"), kinds=("photo",))
    assert table.column_names == ["photo", "index"]
    assert table["index"].to_pylist() == list(range(20))
    names = ["photo-0012.jpg", "photo-0002.jpg"]
    two = store.read(("photo", "kind"), photos=names).to_pylist()
    assert [row["photo"] for row in two] == ["photo-0002.jpg"] * 13 + ["photo-0012.jpg"] * 13
    assert {row["kind"] for row in two} == {"method", "control"}
    assert store.read(("photo",), photos=["no such photo"]).num_rows == 0


def test_batches_are_the_parts_of_what_is_read_at_once(tmp_path):
    store = synthetic_store(tmp_path / "store", 20)
    parts = list(store.batches(("photo", "energy")))
    assert len(parts) == 3
    assert pa.concat_tables(parts).to_pylist() == store.read(("photo", "energy")).to_pylist()


def test_an_empty_store_reads_as_nothing(tmp_path):
    store = Store.create(tmp_path / "store", synthetic_manifest())
    assert store.read(("photo", "map")).num_rows == 0
    assert store.funnel()["photos"] == 0
    assert list(store.batches(("photo",))) == []


def test_maps_are_raw_again_up_to_half_precision(tmp_path):
    store = synthetic_store(tmp_path / "store", 8)
    maps = store.maps("photo-0002.jpg")
    assert set(maps) == {
        *((name, layer) for name in ("grad_cam", "integrated_grad_cam", "rsi_grad_cam", "activation")
          for layer in ("features.12", "features.20"))
    }  # fmt: skip
    assert maps["grad_cam", "features.12"].shape == (8, 8)
    assert not store.maps("photo-0000.jpg")["grad_cam", "features.20"].any()
    assert store.maps("photo-0003.jpg") == {}


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_a_packed_map_keeps_its_scale_and_three_digits(scale):
    raw = np.random.default_rng(0).normal(0, scale, (3, 5)).astype(np.float32)
    assert np.allclose(unpacked(packed(raw)), raw, rtol=1e-3, atol=1e-7 * scale)
    assert unpacked(packed(np.zeros((2, 3), np.float32))).tolist() == [[0, 0, 0], [0, 0, 0]]


def test_nan_becomes_null_and_an_unknown_column_is_an_error():
    schema = Store(None, synthetic_manifest()).schema
    nan = np.array([1.0, np.nan], np.float32)
    row = table_of([{"photo": "a", "energy": float("nan"), "overlap_iou": nan}], schema).to_pylist()[0]
    assert row["energy"] is None
    assert row["overlap_iou"] is None
    assert row["score"] is None
    with pytest.raises(KeyError, match="enrgy"):
        table_of([{"enrgy": 1.0}], schema)
    assert schema.names[: len(COLUMNS)] == list(COLUMNS)


def test_another_evaluation_is_refused_with_the_first_difference(tmp_path):
    Store.create(tmp_path / "store", synthetic_manifest(20))
    with pytest.raises(ConfigurationError, match=r"dataset.examples is 20 there and 21 here; give another folder$"):
        Store.create(tmp_path / "store", synthetic_manifest(21))


def test_what_is_no_store_is_said_in_a_line(tmp_path):
    with pytest.raises(ConfigurationError, match="holds no evaluation: make one with `evaluate run`"):
        Store.open(tmp_path / "nothing")
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(ConfigurationError, match="cannot be read as a manifest"):
        Store.open(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(ConfigurationError, match="has the format 99, this version reads 1"):
        Store.open(tmp_path)


def test_a_folder_with_other_files_does_not_become_a_store(tmp_path):
    (tmp_path / "thesis.tex").write_text("…")
    with pytest.raises(ConfigurationError, match="holds other files"):
        Store.create(tmp_path, synthetic_manifest())


def test_what_a_killed_run_left_is_ignored_and_cleared_by_the_next(tmp_path):
    store = Store.create(tmp_path / "store", synthetic_manifest(8))
    stray = store.folder / ".part-00000000.parquet.0a1b2c3d.part"
    stray.write_bytes(b"half a part")
    assert store.missing() == [0]
    assert store.read(("photo",)).num_rows == 0
    written(store, 0)
    assert not stray.exists()
    assert sorted(path.name for path in store.folder.iterdir()) == [
        "manifest.json",
        "part-00000000.parquet",
    ]


def test_a_part_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    store = Store.create(tmp_path / "store", synthetic_manifest(8))

    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        written(store, 0)
    assert [path.name for path in store.folder.iterdir()] == ["manifest.json"]


def test_a_part_may_come_as_bytes(tmp_path):
    store = Store.create(tmp_path / "store", synthetic_manifest(8))
    table = table_of([row for index in range(8) for row in rows_of(index, 0)], store.schema)
    store.write(0, as_bytes(table, store.schema))
    assert pq.read_table(store.part(0)).equals(table)
    with pytest.raises(ConfigurationError, match="must have the columns of its store"):
        store.write(0, table.drop_columns(["energy"]))


def test_a_column_that_was_not_measured_is_named(tmp_path):
    store = synthetic_store(tmp_path / "store", 8)
    with pytest.raises(ConfigurationError, match="no column 'road'"):
        store.read(("road",))
