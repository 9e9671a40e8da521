"""Which photo a figure shows when nobody says it: by a rule, so that none is picked for its looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.evaluation.picture import COLUMNS as PICTURE
from rsi_gradcam.evaluation.picture import picture_of
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.study import Numbers, Study

OURS = "rsi_grad_cam"


@dataclass(frozen=True)
class Picked:
    """A photo's name, and the rule in words."""

    name: str
    why: str


def main_series(study: Study) -> Series:
    """The paper's own method at the last layer; without it the last one that there is."""
    there = [each for each in study.methods if each.layer == study.layers[0]]
    return next((each for each in there if each.method == OURS), there[-1])


def kept(study: Study) -> list[str]:
    """Names of the photos with maps, in the order in which values stand."""
    chosen = main_series(study)
    rows = study.store.read(("photo", "method", "layer"), kinds=("method",)).to_pylist()
    return [row["photo"] for row in rows if (row["method"], row["layer"]) == chosen.key]


def surest(study: Study) -> Picked:
    p = study.values("probability")[main_series(study).key]
    return Picked(kept(study)[first(-p)], "the photo that the network is surest of")


def nearest(study: Study, wanted: float) -> Picked:
    p = study.values("probability")[main_series(study).key]
    return Picked(kept(study)[first(np.abs(p - wanted))], f"the photo whose p is nearest to {wanted:g}")


def median(study: Study) -> Picked:
    """The photo in the middle of all by energy; by p where there are no boxes."""
    ours = main_series(study)
    column = study.column("energy") if not (study.lacks("energy") or study.without_boxes("energy")) else "probability"
    values = study.values(column)[ours.key]
    middle = np.nanpercentile(values, 50, method="lower")
    what = f"{column} of {ours.title} at {study.layer_title(ours.layer)}" if column != "probability" else "p"
    return Picked(kept(study)[first(np.abs(values - middle))], f"the photo in the middle by {what}")


def vanishing(study: Study) -> Picked:
    """The surest photo among those of which some method's map is faintest at the last layer."""
    epsilons, dark = study.dark() if not study.lacks("darkness") else ((), {})
    last = [dark[each.key] for each in study.methods if each.layer == study.layers[0]] if epsilons else []
    p = study.values("probability")[main_series(study).key]
    if not any(found.any() for found in last):
        return Picked(kept(study)[first(-p)], "the surest photo; no method's map is dark at the last layer")
    times = np.max([np.nansum(found, 1) for found in last], 0)
    where = np.where(times == times.max(), p, -1.0)
    return Picked(kept(study)[first(-where)], "the surest photo of which a map at the last layer is dark")


def two_classes(study: Study) -> Sequence[str]:
    """Names of two maps of one picture that are explained for different classes; nothing if there are none."""
    rows = study.store.read((*PICTURE, "category", "probability"), kinds=("photo",)).to_pylist()
    there = set(kept(study))
    pictures: dict[str, list[tuple[float, str, int]]] = {}
    for row in rows:
        if row["photo"] in there and row["category"] is not None:
            found = (row["probability"] or 0.0, row["photo"], row["category"])
            pictures.setdefault(picture_of(row), []).append(found)
    pairs = [sorted(found, reverse=True)[:2] for found in pictures.values() if len({each[2] for each in found}) > 1]
    best = max(pairs, key=lambda pair: pair[-1][0], default=[])
    return [name for _, name, _ in best]


def first(values: Numbers) -> int:
    """Where the smallest is; the earliest of equals."""
    return int(np.nanargmin(values))
