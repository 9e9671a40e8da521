"""Stores whose every number a test has chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.schema import table_of
from rsi_gradcam.evaluation.store import Store
from tests.evaluation.synthetic import configuration, metric

BLOCK4, BLOCK5, INPUT = "features.12", "features.20", "input"
Key = tuple[str, str]  # method or control, layer


def crafted(
    folder: Path,
    values: Mapping[Key, Sequence[float]],
    *,
    better: str = "higher",
    name: str = "energy",
    names: Sequence[str] | None = None,
    pictures: Sequence[str] | None = None,
    dataset: str = "crafted",
    extra: Sequence[Mapping[str, object]] = (),
    metrics: Sequence[Mapping[str, object]] = (),
) -> Store:
    """One metric, or those given; of each method or control its `name` for each photo, nan where it has none."""
    photos = len(next(iter(values.values())))
    said = {**configuration(photos, 0), "metrics": [*(metrics or [metric(name, {"": better}, boxed=True)]), *extra]}
    said["dataset"] = {**said["dataset"], "name": dataset}
    made = manifest_of(said, part_size=8, categories=("cat",), environment={}, command="")
    store = Store.create(folder, made)
    controls = [each["name"] for each in said["controls"]]
    for chunk in store.missing():
        rows = []
        for index in range(8 * chunk, min(8 * chunk + 8, photos)):
            photo = {"photo": names[index] if names else f"photo-{index:04d}", "index": index, "boxes": 1}
            photo |= {"picture": pictures[index]} if pictures else {}
            photo |= {"left_out": "", "error": "", "probability": (index + 1) / (photos + 1)}
            rows.append({**photo, "kind": "photo", "method": "", "layer": ""})
            for (method, layer), column in values.items():
                kind = "control" if method in controls else "method"
                rows.append({**photo, "kind": kind, "method": method, "layer": layer, name: float(column[index])})
        store.write(chunk, table_of(rows, store.schema))
    return store


def normal(mean: float, photos: int = 60, seed: int = 0, spread: float = 0.1) -> np.ndarray:
    return np.random.default_rng(seed).normal(mean, spread, photos)
