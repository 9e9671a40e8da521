"""An evaluation as the figures read it: who was measured, and each one's numbers, photo by photo."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary import Summary, summarise
from rsi_gradcam.evaluation.summary.by_probability import ByProbability
from rsi_gradcam.evaluation.summary.curves import Curve
from rsi_gradcam.evaluation.summary.darkness import dark_columns, scored_dark
from rsi_gradcam.evaluation.summary.pooled import configured
from rsi_gradcam.methods.base import INPUT
from rsi_gradcam.reporting.series import Series, all_series

Numbers: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Study:
    """A store, and which of it is drawn.

    controls   beside the methods
    shown      names of photos for the figures that show some; none: each figure picks its own
    resamples  of the photos, for the intervals
    """

    store: Store
    controls: bool = True
    shown: tuple[str, ...] = ()
    resamples: int = 2000

    @property
    def configuration(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.store.manifest["configuration"]
        return found

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """Methods first; without the controls where these are not wanted."""
        rows = {(name, layer) for batch in self.batches(("method", "layer")) for name, layer in pairs(batch)}
        found = all_series(self.configuration, sorted(rows))
        return tuple(each for each in found if self.controls or not each.control)

    @property
    def methods(self) -> tuple[Series, ...]:
        return tuple(each for each in self.series if not each.control)

    @property
    def layers(self) -> tuple[str, ...]:
        """Those with a method's maps, the last first as in the paper."""
        there = {each.layer for each in self.methods}
        return tuple(path for path in reversed([INPUT, *self.configuration["layers"]]) if path in there)

    def at(self, layer: str) -> tuple[Series, ...]:
        """What is drawn for a layer: its own, and the controls that are the same beside every layer."""
        return tuple(each for each in self.series if each.layer == layer or (each.control and each.at_input))

    @property
    def ground(self) -> str:
        """What every figure rests on, in a line."""
        said = self.configuration
        kept = self.store.funnel()["kept"]
        photos = f"{kept:,} photo{'' if kept == 1 else 's'}"
        return f"{said['network']['name']} · {said['dataset']['name']} · {photos}"

    def layer_title(self, layer: str) -> str:
        friendly = self.configuration["layers"].get(layer, layer)
        return str(friendly) if friendly == layer else f"{friendly} ({layer})"

    def metric(self, name: str) -> Mapping[str, Any] | None:
        """What the manifest says of a metric; None where it was not measured."""
        return next((each for each in self.configuration["metrics"] if each["name"] == name), None)

    def lacks(self, *metrics: str) -> str:
        """A sentence if one of these metrics is not in the store."""
        absent = [name for name in metrics if self.metric(name) is None]
        return f"the run did not measure {' and '.join(absent)}" if absent else ""

    def without_boxes(self, metric: str, part: str = "") -> str:
        """A sentence if no photo had a box, so that this column is empty."""
        column = self.column(metric, part)
        if any(batch.column(column).null_count < batch.num_rows for batch in self.batches((column,))):
            return ""
        return "no photo of the run has a box"

    def slug(self, layer: str) -> str:
        """A layer's name as a part of a file's."""
        return re.sub(r"\W+", "_", str(self.configuration["layers"].get(layer, layer))).strip("_")

    def column(self, metric: str, part: str = "") -> str:
        """The full name of a metric's column; of its only or foremost one where the part has none of its own."""
        said = self.metric(metric)
        names = [each["name"] for each in said["columns"]] if said else []
        full = f"{metric}_{part}" if part else metric
        return full if full in names else next((name for name in names if name == metric), "")

    def values(self, column: str) -> Mapping[tuple[str, str], Numbers]:
        """A column's values by method and layer, in the data set's order: (photos,), nan where there is none.

        Of a curve (photos, points).
        """
        found: dict[tuple[str, str], list[Numbers]] = {each.key: [] for each in self.series}
        for batch in self.batches(("method", "layer", column)):
            values, rows = array(batch.column(column)), pairs(batch)
            for key, where in places(rows).items():
                if key in found:
                    found[key].append(values[where])
        return {key: joined(parts) for key, parts in found.items()}

    def scored_dark(self, key: tuple[str, str]) -> Numbers:
        """Of a method at a layer, which of the scored heatmaps are dark: 1, 0, nan where it is not known."""
        columns = [self.values(name)[key] for name in dark_columns(self.configuration)]
        return scored_dark(np.stack(columns, 1))

    def epsilon_of(self, metric: str) -> float:
        """With which a metric normalises: its own, not the run's."""
        said = self.metric(metric)
        return float(getattr(configured(said), "epsilon", np.nan)) if said else np.nan

    def dark(self) -> tuple[tuple[float, ...], Mapping[tuple[str, str], Numbers]]:
        """The ε of the metric darkness, and by method and layer which maps are dark: (photos, ε)."""
        said = self.metric("darkness") or {"columns": ()}
        curves = [each["name"] for each in said["columns"] if each["curve"]]
        if curves:
            return tuple(said["points"]), self.values(curves[0])
        columns = {float(each["name"].removeprefix("darkness_")): each["name"] for each in said["columns"]}
        found = [self.values(name) for name in columns.values()]
        stacked = {each.key: np.stack([values[each.key] for values in found], 1) for each in self.series}
        return tuple(columns), stacked

    @cached_property
    def summary(self) -> Summary:
        """Means, intervals, comparisons: what a figure or a table says is what this says."""
        return summarise(self.store, resamples=self.resamples)

    def against_p(self, column: str) -> Mapping[tuple[str, str], ByProbability]:
        """A measure against the probability, by method and layer."""
        return {(each.method, each.layer): each for each in self.summary.by_probability if each.column == column}

    def by_threshold(self, column: str) -> Mapping[tuple[str, str], Curve]:
        """A curve's means with their intervals, by method and layer."""
        return {(each.method, each.layer): each for each in self.summary.curves if each.column == column}

    def batches(self, columns: Sequence[str]) -> Iterator[Any]:
        """Rows of maps, part by part."""
        yield from (batch for batch in self.store.batches(list(columns)) if batch.num_rows)


def pairs(batch: Any) -> list[tuple[str, str]]:
    return list(zip(batch.column("method").to_pylist(), batch.column("layer").to_pylist(), strict=True))


def places(rows: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    found: dict[tuple[str, str], list[int]] = {}
    for index, key in enumerate(rows):
        found.setdefault(key, []).append(index)
    return found


def array(column: Any) -> Numbers:
    """Numbers with nan for null; of curves a row of nan for null."""
    values = column.to_pylist()
    points = max((len(each) for each in values if isinstance(each, list)), default=0)
    if not points:
        return np.array([np.nan if each is None else each for each in values], np.float64)
    return np.array([[np.nan] * points if each is None else each for each in values], np.float64)


def joined(parts: Sequence[Numbers]) -> Numbers:
    """One after the other; a part in which nobody has a curve is as long a row of nan for each photo."""
    points = max((part.shape[1] for part in parts if part.ndim == 2), default=0)
    if points:
        return np.concatenate([part if part.ndim == 2 else np.full((len(part), points), np.nan) for part in parts])
    return np.concatenate(parts) if parts else np.empty(0)
