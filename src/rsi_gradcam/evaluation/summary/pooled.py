"""Numbers of the whole set that are no mean over its photos, such as one whose threshold is chosen on the set."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rsi_gradcam import metrics
from rsi_gradcam.evaluation.summary.measure import Measure, measures_of
from rsi_gradcam.evaluation.summary.reading import Reader
from rsi_gradcam.metrics import Metric
from rsi_gradcam.statistics.choosing import choosing


@dataclass(frozen=True)
class Pooled:
    """One such number. It has no interval, so nothing is claimed by it."""

    kind: str
    method: str
    layer: str
    metric: str
    name: str
    value: float


def pooled_of(reader: Reader, measures: Sequence[Measure], seed: int) -> list[Pooled]:
    """Of the metrics of these measures that have such numbers, which take all of a metric's columns.

    Thresholds are chosen on half of the pictures, by their names: rows of one picture are on one side.
    """
    wanted = {each.metric for each in measures}
    configuration = reader.store.manifest["configuration"]
    said = [each for each in configuration["metrics"] if each["name"] in wanted and is_pooled(each["name"])]
    return [
        number
        for metric in map(configured, said)
        for number in of_metric(reader, metric, measures_of(configuration, [metric.name]), seed)
    ]


def is_pooled(name: str) -> bool:
    """Has the metric such numbers? What no metric here is called has none."""
    kind = metrics.catalogue().get(name)
    return kind is not None and kind.pooled is not Metric.pooled


def of_metric(reader: Reader, metric: Metric, measures: Sequence[Measure], seed: int) -> Iterator[Pooled]:
    chosen = choosing(reader.kept.shown, seed=seed)
    widths = {each.column: len(each.points) if each.curve else 1 for each in measures}
    for place, columns in reader.whole(widths):
        own = {column.removeprefix(metric.name).removeprefix("_"): values for column, values in columns.items()}
        for name, value in metric.pooled(own, chosen).items():
            yield Pooled(*place, metric.name, name, float(value))


def configured(said: Mapping[str, Any]) -> Metric:
    """The metric as it was set, from its repr: plain values, and nothing of it is run."""
    call = ast.parse(said["configuration"], mode="eval").body
    words = call.keywords if isinstance(call, ast.Call) else []
    return metrics.by_name(said["name"], **{word.arg: ast.literal_eval(word.value) for word in words if word.arg})
