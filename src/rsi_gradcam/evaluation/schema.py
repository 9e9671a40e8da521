"""The columns of a store: those that every row has, and those of the metrics that were measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from rsi_gradcam.evaluation.manifest import Manifest

Row: TypeAlias = Mapping[str, Any]

COLUMNS: dict[str, pa.DataType] = {
    "photo": pa.string(),  # Example.name
    "picture": pa.string(),  # which the photo shows: several examples may be of one
    "index": pa.int64(),  # its place in the data set's order
    "kind": pa.string(),  # photo, method or control
    "method": pa.string(),
    "layer": pa.string(),
    "label": pa.int64(),  # the class by the data set
    "predicted": pa.int64(),  # by the network
    "category": pa.int64(),  # that is explained
    "probability": pa.float64(),  # of the category
    "boxes": pa.int64(),  # how many
    "box_share": pa.float64(),  # area of their union / area of the photo
    "left_out": pa.string(),  # by which filter
    "error": pa.string(),  # why the photo failed
    "seconds": pa.float64(),
    "score": pa.float64(),
    "baseline_score": pa.float64(),
    "residual": pa.float64(),
    "error_estimate": pa.float64(),
    "passes": pa.float64(),
    "is_cut": pa.bool_(),
    "converged": pa.bool_(),
    "dark": pa.bool_(),  # stays the heatmap below one half, at the run's ε?
    "map": pa.list_(pa.float16()),  # raw / map_scale, row by row
    "map_scale": pa.float64(),
    "map_height": pa.int64(),
    "map_width": pa.int64(),
}
NOT_COMPARED = ("seconds",)  # these differ from run to run
CURVE = pa.list_(pa.float32())


def schema_of(manifest: Manifest) -> pa.Schema:
    """The columns of a run's parts, in their order."""
    return pa.schema(
        [
            *COLUMNS.items(),
            *((each["name"], CURVE if each["curve"] else pa.float64()) for each in metric_columns(manifest)),
        ]
    )


def metric_columns(manifest: Manifest) -> list[Mapping[str, Any]]:
    """What the metrics measured, column by column."""
    return [column for metric in manifest["configuration"]["metrics"] for column in metric["columns"]]


def table_of(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    """Rows as a table; what a row does not say, and what is nan, is null."""
    known = set(schema.names)
    for row in rows:
        if unknown := set(row) - known:
            raise KeyError(f"no such column: {', '.join(sorted(unknown))}")
    columns = {field.name: [value_of(row.get(field.name)) for row in rows] for field in schema}
    return pa.table({name: pa.array(values, schema.field(name).type) for name, values in columns.items()}, schema)


def value_of(value: Any) -> Any:
    """There is no nan in a store: a number that does not exist is null, and a curve without a number as well."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, np.ndarray) and np.isnan(value).any():
        return None
    return value


def packed(raw: np.ndarray) -> dict[str, Any]:
    """A raw map (h, w) as the columns that hold it: its shape in float16, its scale beside it."""
    scale = float(np.abs(raw).max()) or 1.0
    share = (raw.astype(np.float64) / scale).astype(np.float16)
    return {"map": share.reshape(-1), "map_scale": scale, "map_height": raw.shape[0], "map_width": raw.shape[1]}


def unpacked(row: Row) -> np.ndarray:
    """The raw map of a row, (h, w) in float32."""
    values = np.asarray(row["map"], np.float64).reshape(row["map_height"], row["map_width"])
    found: np.ndarray = (values * row["map_scale"]).astype(np.float32)
    return found
