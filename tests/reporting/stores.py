"""Stores made of the synthetic one's rows, changed; and one whose photos are there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rsi_gradcam.datasets.mosaic import Mosaic
from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.schema import packed, table_of
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.images import Preprocess
from tests.evaluation import synthetic

Row = dict[str, Any]
KEPT = 0  # the index of a synthetic photo that neither failed nor was left out


def written(folder: Path, configuration: dict[str, Any], rows: list[list[Row]]) -> Store:
    """A store of these photos' rows, one list for each photo."""
    configuration["dataset"]["examples"] = len(rows)
    manifest = manifest_of(
        configuration,
        part_size=synthetic.PART_SIZE,
        categories=synthetic.CATEGORIES,
        environment={"rsi-gradcam": "0.1.0", "machine": "none"},
        command="rsi-gradcam evaluate run synthetic",
    )
    store = Store.create(folder, manifest)
    for chunk in store.missing():
        some = rows[chunk * synthetic.PART_SIZE : (chunk + 1) * synthetic.PART_SIZE]
        store.write(chunk, table_of([row for photo in some for row in photo], store.schema))
    return store


def changed(folder: Path, change: Callable[[Row], Row], photos: int = 20) -> Store:
    rows = [[change(dict(row)) for row in synthetic.rows_of(index, 0)] for index in range(photos)]
    return written(folder, synthetic.configuration(photos, 0), rows)


def without_boxes(folder: Path) -> Store:
    boxed = ("energy", "overlap_iou", "overlap_iob", "overlap_ior")
    return changed(folder, lambda row: row | dict.fromkeys(boxed) | {"boxes": 0, "box_share": None})


def all_dark(folder: Path) -> Store:
    def darkened(row: Row) -> Row:
        if row["kind"] == "photo":
            return row
        side = row.get("map_height")
        dark = {f"darkness_{epsilon:g}": 1.0 for epsilon in synthetic.EPSILONS}
        zero = packed(np.zeros((side, side))) if side else {}
        return row | zero | dark | {"intensity_raw": 0.0, "intensity_normalised": 0.0, "average_drop": 1.0}

    return changed(folder, darkened)


def one_method(folder: Path) -> Store:
    configuration = synthetic.configuration(20, 0)
    configuration["methods"] = configuration["methods"][-1:]
    configuration["controls"] = []
    configuration["layers"] = {"features.20": "block5"}
    there = ("", "rsi_grad_cam")
    rows = [
        [row for row in synthetic.rows_of(index, 0) if row["method"] in there and row["layer"] in ("", "features.20")]
        for index in range(20)
    ]
    return written(folder, configuration, rows)


def nothing_kept(folder: Path) -> Store:
    rows = [list(synthetic.rows_of(3, 0)) for _ in range(2)]
    for number, photo in enumerate(rows):
        photo[0] |= {"photo": f"photo {number}", "index": number}
    return written(folder, synthetic.configuration(2, 0), rows)


def with_photos(folder: Path, mosaics: int = 1) -> Store:
    """Of the built-in mosaic: the maps are drawn, the photos are scikit-image's."""
    dataset = Mosaic(count=mosaics, tile=48)
    configuration = synthetic.configuration(len(dataset.examples()), 0)
    configuration["dataset"] |= {"name": "mosaic", "configuration": repr(dataset)}
    configuration["network"]["preprocess"] = repr(Preprocess((64, 64), "crop", crop_pct=0.875))
    rows = []
    for index, example in enumerate(dataset.examples()):
        own = {"photo": example.name, "index": index, "category": index % 5, "probability": 0.2 + 0.1 * index}
        rows.append([row | own for row in synthetic.rows_of(KEPT + 12 * (index + 1), 0)])
    return written(folder, configuration, rows)
