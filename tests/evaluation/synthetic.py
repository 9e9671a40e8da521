"""A small plausible store without any network: for tests of what reads evaluations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.schema import packed, table_of
from rsi_gradcam.evaluation.store import Store

METHODS = {"grad_cam": "Grad-CAM", "integrated_grad_cam": "Integrated Grad-CAM", "rsi_grad_cam": "RSI-Grad-CAM"}
LAYERS = {"features.12": "block4", "features.20": "block5"}
CONTROLS = {"ones": False, "gaussian": False, "random": False, "edges": False, "activation": False, "box": True}
AT_LAYER = ("activation",)
THRESHOLDS = [round(0.05 * step, 2) for step in range(1, 20)]
EPSILONS = (1e-8, 1e-6, 1e-4)
CATEGORIES = ("cat", "dog", "horse", "cow", "sheep")
SIDES = {"features.12": 8, "features.20": 4, "input": 16}
PART_SIZE = 8


def metric(name: str, columns: dict[str, str], *, curves: bool = False, boxed: bool = False) -> dict[str, Any]:
    full = {f"{name}_{column}" if column else name: better for column, better in columns.items()}
    return {
        "name": name,
        "configuration": f"{name.title()}()",
        "preset": "paper",
        "summary": f"the {name} of a map",
        "better": next(iter(columns.values())),
        "boxed": boxed,
        "points": THRESHOLDS if curves else None,
        "columns": [
            {"name": column, "headline": not curves, "curve": curves, "better": better}
            for column, better in full.items()
        ],
    }


METRICS = [
    metric("energy", {"": "higher"}, boxed=True),
    metric("overlap", {"iou": "higher", "iob": "higher", "ior": "higher"}, curves=True, boxed=True),
    metric("average_drop", {"": "lower", "increase": "higher", "gain": "higher"}),
    metric("darkness", {f"{epsilon:g}": "lower" for epsilon in EPSILONS}),
    metric("intensity", {"raw": "neither", "normalised": "neither"}),
]


def configuration(photos: int, seed: int) -> dict[str, Any]:
    return {
        "dataset": {
            "name": "synthetic",
            "configuration": "Synthetic()",
            "examples": photos,
            "digest": f"{seed:064x}",
        },
        "network": {
            "name": "small",
            "weights": "drawn",
            "weights_hash": "0" * 64,
            "preprocess": "Preprocess()",
            "categories": len(CATEGORIES),
        },
        "layers": LAYERS,
        "methods": [{"name": name, "configuration": f"{name}()", "title": title} for name, title in METHODS.items()],
        "controls": [
            {"name": name, "configuration": f"{name.title()}()", "boxed": boxed} for name, boxed in CONTROLS.items()
        ],
        "metrics": METRICS,
        "explain": {
            "steps": 50,
            "tolerance": None,
            "max_passes": 129,
            "precision": "float32",
            "epsilon": 1e-8,
            "baseline": "Black()",
            "path": "Straight()",
            "score": "softmax",
            "preset": "paper",
        },
        "selection": {"name": "paper", "largest_box": 0.5},
        "seed": seed,
        "threads": 1,
    }


def synthetic_manifest(photos: int = 40, seed: int = 0) -> dict[str, Any]:
    return manifest_of(
        configuration(photos, seed),
        part_size=PART_SIZE,
        categories=CATEGORIES,
        environment={"torch": "2.0", "machine": "none", "device": "cpu", "started": "2026-01-01T00:00:00+00:00"},
        command="rsi-gradcam evaluate run synthetic --out store",
    )


def synthetic_store(folder: str | Path, photos: int = 40, seed: int = 0) -> Store:
    """All parts of it. Photo 3 failed, some were left out, and the first kept photo's Grad-CAM is dark at block5."""
    store = Store.create(folder, synthetic_manifest(photos, seed))
    for chunk in store.missing():
        indices = range(chunk * PART_SIZE, min((chunk + 1) * PART_SIZE, photos))
        rows = [row for index in indices for row in rows_of(index, seed)]
        store.write(chunk, table_of(rows, store.schema))
    return store


def rows_of(index: int, seed: int) -> list[dict[str, Any]]:
    draw = np.random.default_rng((seed, index))
    photo = {"photo": f"photo-{index:04d}.jpg", "index": index, "label": index % len(CATEGORIES), "boxes": 1}
    photo |= {"box_share": float(draw.uniform(0.05, 0.45)), "left_out": "", "error": "", "seconds": 1.5}
    first = {**photo, "kind": "photo", "method": "", "layer": ""}
    if index == 3:
        return [{**first, "error": "photo-0003.jpg is no photo that can be read", "boxes": 1}]
    photo["predicted"] = photo["category"] = photo["label"]
    photo["probability"] = float(1 - draw.uniform(0, 1) ** 3 * 0.9)
    left_out = {1: "wrong class", 5: "several boxes", 6: "large box", 9: "no box"}.get(index % 12, "")
    if left_out:
        predicted = (photo["label"] + 1) % len(CATEGORIES) if left_out == "wrong class" else photo["label"]
        boxes = {"several boxes": 2, "no box": 0}.get(left_out, 1)
        share = {"large box": 0.7, "no box": None}.get(left_out, photo["box_share"])
        return [{**photo, **first, "predicted": predicted, "left_out": left_out, "boxes": boxes, "box_share": share}]
    places = [("method", name, layer) for name in METHODS for layer in LAYERS]
    places += [
        ("control", name, layer) for name in CONTROLS for layer in (LAYERS if name in AT_LAYER else ("input",))
    ]
    return [{**first, **photo}, *(one_map(photo, *place, draw) for place in places)]


def one_map(photo: dict[str, Any], kind: str, method: str, layer: str, draw: np.random.Generator) -> dict[str, Any]:
    side = SIDES[layer]
    dark = method == "grad_cam" and layer == "features.20" and (photo["probability"] > 0.995 or photo["index"] == 0)
    raw = (
        np.zeros((side, side))
        if dark
        else np.maximum(draw.normal(0.2, 1, (side, side)), 0) * 10.0 ** draw.uniform(-3, 0)
    )
    row = {**photo, "kind": kind, "method": method, "layer": layer, "seconds": 0.1}
    if kind == "method":
        row |= {"score": photo["probability"], "baseline_score": 0.001, "residual": float(draw.normal(0, 1e-3))}
        row |= {"error_estimate": float(draw.uniform(0, 0.01)), "passes": 51.0, "is_cut": True, "converged": True}
    if kind == "method" or layer != "input":
        row |= packed(raw)
    return row | measured(raw, dark, method, draw)


def measured(raw: np.ndarray, dark: bool, method: str, draw: np.random.Generator) -> dict[str, Any]:
    skill = 1.0 if method == "box" else {"rsi_grad_cam": 0.6, "grad_cam": 0.5, "random": 0.15}.get(method, 0.4)
    energy = 0.0 if dark else float(np.clip(draw.normal(skill, 0.1), 0, 1))
    fall = np.linspace(1, 0, len(THRESHOLDS)) if not dark else np.zeros(len(THRESHOLDS))
    found: dict[str, Any] = {"energy": energy}
    found |= {
        "overlap_iou": (energy * fall).astype(np.float32),
        "overlap_iob": fall.astype(np.float32),
        "overlap_ior": (energy * np.sqrt(fall)).astype(np.float32),
    }
    drop = 1.0 if dark else float(np.clip(draw.normal(0.5 - skill / 2, 0.2), 0, 1))
    found |= {"average_drop": drop, "average_drop_increase": float(drop == 0)}
    found |= {"average_drop_gain": float(draw.uniform(0, 0.2)) if drop == 0 else 0.0}
    found |= {f"darkness_{epsilon:g}": float(np.ptp(raw) < epsilon) for epsilon in EPSILONS}
    top = float(raw.max())
    found |= {"intensity_raw": float(raw.mean()), "intensity_normalised": float(raw.mean() / top) if top else 0.0}
    return found
