"""Which photos the gallery shows where it cannot show all: both ends of every measure, the rest evenly spread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from rsi_gradcam.reporting.picking import kept, main_series
from rsi_gradcam.reporting.study import Numbers, Study

EXTREMES = 0.75  # of the places go to the ends of measures


def chosen(study: Study, most: int) -> list[str]:
    """At most so many names, in the data set's order."""
    names = kept(study)
    if len(names) <= most:
        return names
    wanted: dict[int, None] = {}
    for index in ends(study, len(names)):
        if len(wanted) >= EXTREMES * most:
            break
        wanted[index] = None
    order = np.argsort(study.values("probability")[main_series(study).key], kind="stable")
    rest = [int(index) for index in order if int(index) not in wanted]
    spread = np.linspace(0, len(rest) - 1, most - len(wanted)).round().astype(int)
    wanted |= dict.fromkeys(rest[place] for place in spread)
    return [names[index] for index in sorted(wanted)]


def ends(study: Study, count: int) -> Iterator[int]:
    """Photos from both ends inwards: all measures of the main method first, then of the others; some come again."""
    columns = [study.values(name) for name in headlines(study)]
    ranked = [order for key in main_first(study) for values in columns if len(order := ranking(values[key]))]
    for step in range(count):
        for order in ranked:
            if step < len(order):
                yield int(order[step])
                yield int(order[-1 - step])


def main_first(study: Study) -> list[tuple[str, str]]:
    """The methods' keys."""
    return list(dict.fromkeys([main_series(study).key, *(each.key for each in study.methods)]))


def ranking(found: Numbers) -> npt.NDArray[np.intp]:
    """Photos by value, without those that have none."""
    return np.argsort(found, kind="stable")[: int((~np.isnan(found)).sum())]


def headlines(study: Study) -> Sequence[str]:
    """The columns by which the gallery can be sorted."""
    metrics = study.configuration["metrics"]
    return [
        each["name"] for metric in metrics for each in metric["columns"] if each["headline"] and not each["curve"]
    ]
