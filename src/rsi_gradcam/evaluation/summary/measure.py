"""What was measured, and of whom: the columns and the rows of a summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.methods.base import INPUT


class Place(NamedTuple):
    """Whose maps, and where: a row of the table."""

    kind: str  # method or control
    method: str
    layer: str  # path of the module, or "input"

    @property
    def control(self) -> bool:
        return self.kind == "control"


@dataclass(frozen=True)
class Measure:
    """One column of a metric."""

    metric: str
    column: str  # its full name in the store
    better: str  # higher, lower or neither
    headline: bool
    curve: bool
    points: tuple[float, ...]  # of a curve
    boxed: bool


def measures_of(configuration: Mapping[str, Any], wanted: Sequence[str] | None = None) -> list[Measure]:
    """All of them, or those of the metrics or columns that are wanted. A column that is named is a headline."""
    found = [
        Measure(
            metric["name"],
            column["name"],
            column["better"],
            column["headline"],
            column["curve"],
            tuple(metric["points"] or ()),
            metric["boxed"],
        )
        for metric in configuration["metrics"]
        for column in metric["columns"]
    ]
    if wanted is None:
        return found
    known = dict.fromkeys(name for each in found for name in (each.metric, each.column))
    for name in wanted:
        if name not in known:
            raise ConfigurationError(f"{name!r} was not measured in this store: {did_you_mean(name, known)}")
    metrics = {each.metric for each in found}
    named = {name for name in wanted if name not in metrics}
    chosen = [each for each in found if each.metric in wanted or each.column in wanted]
    return [replace(each, headline=each.headline or each.column in named) for each in chosen]


DARKNESS = "darkness"


def ordered(places: Iterable[Place], configuration: Mapping[str, Any]) -> list[Place]:
    """Layer by layer as the manifest has them, the input last; methods first, each in the configuration's order."""
    layers = [*configuration["layers"], INPUT]
    names = [each["name"] for each in (*configuration["methods"], *configuration["controls"])]
    return sorted(
        places, key=lambda place: (layers.index(place.layer), place.kind != "method", names.index(place.method))
    )
