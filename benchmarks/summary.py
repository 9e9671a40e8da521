"""How long the summary of many photos takes, and how much memory: the maps are faked, the store is real.

    python benchmarks/summary.py [PHOTOS] [FOLDER]

A store that is in the folder already is taken as it is.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary import summarise

METHODS = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam")
CONTROLS = ("ones", "gaussian", "edges", "random", "activation", "box")
LAYERS = {"features.27": "block4_pool", "features.36": "block5_pool"}
PLACES = [("method", name, layer) for name in METHODS for layer in LAYERS]
PLACES += [("control", name, layer) for name in CONTROLS[3:5] for layer in LAYERS]
PLACES += [("control", name, "input") for name in ("ones", "gaussian", "edges", "box")][: 13 - len(PLACES)]
NUMBERS, POINTS, PART = 30, 19, 100


def manifest(photos: int) -> dict[str, Any]:
    numbers = [{"name": f"number_{k}", "headline": True, "curve": False, "better": "higher"} for k in range(NUMBERS)]
    curves = [{"name": f"overlap_{name}", "headline": False, "curve": True, "better": "higher"} for name in CURVES]
    dark = [{"name": "darkness", "headline": True, "curve": False, "better": "lower"}]
    configuration = {
        "dataset": {"name": "faked", "configuration": "Faked()", "examples": photos, "digest": "0"},
        "network": {"name": "none", "weights": "none", "weights_hash": "0", "preprocess": "", "categories": 2},
        "layers": LAYERS,
        "methods": [{"name": name, "configuration": name, "title": name} for name in METHODS],
        "controls": [{"name": name, "configuration": name, "boxed": name == "box"} for name in CONTROLS],
        "metrics": [
            metric("energy", "Energy()", numbers, None),
            metric("overlap", "Overlap()", curves, [round(0.05 * step, 2) for step in range(1, POINTS + 1)]),
            metric("darkness", "Darkness()", dark, None),
        ],
        "explain": {},
        "selection": {"name": "none", "largest_box": 0.5},
        "seed": 0,
    }
    return manifest_of(configuration, part_size=PART, categories=("a", "b"), environment={}, command="")


CURVES = ("iou", "iob", "ior")


def metric(
    name: str, configuration: str, columns: list[dict[str, Any]], points: list[float] | None
) -> dict[str, Any]:
    return {
        "name": name,
        "configuration": configuration,
        "preset": "paper",
        "summary": name,
        "better": "higher",
        "boxed": True,
        "points": points,
        "columns": columns,
    }


def part(store: Store, chunk: int) -> pa.Table:
    """Rows of a few photos: first the photo's, then one for each place."""
    draw = np.random.default_rng(chunk)
    indices = np.arange(chunk * PART, min((chunk + 1) * PART, store.examples))
    rows = [("photo", "", ""), *PLACES]
    total = len(indices) * len(rows)
    photo = np.repeat(indices, len(rows))
    named = dict(zip(("kind", "method", "layer"), zip(*rows, strict=True), strict=True))
    columns: dict[str, Any] = {name: list(values) * len(indices) for name, values in named.items()}
    columns |= {"photo": [f"photo-{index:06d}.jpg" for index in photo], "index": photo}
    columns |= {"probability": np.repeat(1 - draw.uniform(size=len(indices)) ** 3, len(rows))}
    columns |= {"left_out": [""] * total, "error": [""] * total}
    skill = np.tile(np.linspace(0, 0.2, len(rows)), len(indices))
    columns |= {f"number_{k}": draw.normal(skill, 1) for k in range(NUMBERS)}
    columns |= {"darkness": (draw.uniform(size=total) < 0.01).astype(float)}
    for name in CURVES:
        values = pa.array(draw.uniform(size=total * POINTS).astype(np.float32))
        columns[f"overlap_{name}"] = pa.ListArray.from_arrays(np.arange(total + 1, dtype=np.int32) * POINTS, values)
    nothing = {field.name: pa.nulls(total, field.type) for field in store.schema if field.name not in columns}
    return pa.table({field.name: {**columns, **nothing}[field.name] for field in store.schema}, store.schema)


def main(photos: int, folder: Path) -> None:
    began = time.perf_counter()
    store = Store.create(folder, manifest(photos))
    for chunk in store.missing():
        store.write(chunk, part(store, chunk))
    print(f"store of {photos} photos × {len(PLACES)} maps: {time.perf_counter() - began:.0f} s")
    began = time.perf_counter()
    summary = summarise(store)
    said = f"{len(summary.rows)} means, {len(summary.pairs)} comparisons, {len(summary.curves)} curves"
    print(f"summary: {time.perf_counter() - began:.0f} s, {said}")
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MiB")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(int(given[0]) if given else 100_000, Path(given[1] if given[1:] else tempfile.mkdtemp()))
