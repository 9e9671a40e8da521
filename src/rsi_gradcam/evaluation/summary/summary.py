"""From a store to its summary, a few columns at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary.by_probability import ByProbability, by_probability_of
from rsi_gradcam.evaluation.summary.curves import Curve, curves_of
from rsi_gradcam.evaluation.summary.darkness import dark_columns, scored_dark
from rsi_gradcam.evaluation.summary.measure import Measure, Place, measures_of
from rsi_gradcam.evaluation.summary.notes import notes_of
from rsi_gradcam.evaluation.summary.pairs import Pair, bounds_of, corrected, pairs_of
from rsi_gradcam.evaluation.summary.pooled import Pooled, pooled_of
from rsi_gradcam.evaluation.summary.reading import Reader, kept_of
from rsi_gradcam.evaluation.summary.rows import Row, rows_of
from rsi_gradcam.evaluation.summary.verdicts import verdicts_of
from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap


@dataclass(frozen=True)
class Summary:
    """All of it. `as_dict` gives plain values, None where a number does not exist."""

    photos: int  # that were measured
    pictures: int  # which they show: these are drawn anew
    funnel: Mapping[str, int]
    layers: Mapping[str, str]  # path → the name people know
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    curves: tuple[Curve, ...]
    by_probability: tuple[ByProbability, ...]
    pooled: tuple[Pooled, ...]
    verdicts: tuple[str, ...]
    notes: tuple[str, ...]  # how the numbers are to be read
    seed: int
    resamples: int
    level: float

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = plain(self)
        return found


@dataclass(frozen=True, eq=False)
class Table:
    """What the headline columns give."""

    rows: list[Row]
    pairs: list[Pair]
    by_probability: list[ByProbability]


def summarise(store: Store, *, seed: int = 0, resamples: int = 2000, metrics: Sequence[str] | None = None) -> Summary:
    """Of all metrics, or of those named (or single columns of theirs).

    Intervals are BCa of `resamples` resamples of the pictures, drawn by `seed`; of shares they are Wilson's.
    """
    how = Resampling(resamples, seed)
    configuration = store.manifest["configuration"]
    measures = measures_of(configuration, metrics)
    reader = Reader(store, kept_of(store))
    table = table_of(reader, measures, dark_columns(configuration), how)
    pairs = corrected(table.pairs)
    return Summary(
        photos=len(reader.kept.names),
        pictures=reader.kept.independent,
        funnel=store.funnel(),
        layers=configuration["layers"],
        rows=tuple(table.rows),
        pairs=tuple(pairs),
        curves=tuple(curves_of(reader, [each for each in measures if each.curve], how)),
        by_probability=tuple(table.by_probability),
        pooled=tuple(pooled_of(reader, measures, seed)),
        verdicts=tuple(verdicts_of(table.rows, pairs, configuration)),
        notes=tuple(notes_of(store, reader.kept, how, len(pairs))),
        seed=seed,
        resamples=resamples,
        level=how.level,
    )


def table_of(reader: Reader, measures: Sequence[Measure], darkness: Sequence[str], how: Resampling) -> Table:
    """Of the headline columns; which maps are dark is read with the first of them."""
    headline = [each for each in measures if each.headline and not each.curve]
    found, dark = Table([], [], []), dict[Place, np.ndarray]()
    for some in reader.some(headline):
        read = dict.fromkeys([*(() if dark else darkness), *(each.column for each in some)])
        values = reader.values(list(read))
        place_of = {name: number for number, name in enumerate(read)}
        if not dark:
            said = [place_of[name] for name in darkness]
            dark = {place: scored_dark(columns[:, said]) for place, columns in values.items()}
        for measure in some:
            own = {place: columns[:, place_of[measure.column]] for place, columns in values.items()}
            of_one(found, reader, measure, own, dark, how)
    return found


def of_one(
    table: Table,
    reader: Reader,
    measure: Measure,
    columns: Mapping[Place, np.ndarray],
    dark: Mapping[Place, np.ndarray],
    how: Resampling,
) -> None:
    """Adds what one measure gives."""
    kept, places, values = reader.kept, list(columns), np.stack(list(columns.values()), 1)
    bounds = bounds_of(reader.store.manifest["configuration"])
    drawn = bootstrap(values, kept.pictures, how)
    table.rows.extend(rows_of(measure, values, drawn, places, dark, kept.pictures))
    table.pairs.extend(pairs_of(measure, values, drawn, places, bounds, kept.pictures, how))
    table.by_probability.extend(by_probability_of(measure, values, places, kept, how))


def plain(value: Any) -> Any:
    """Dictionaries, lists and plain values; what is nan is None."""
    if is_dataclass(value):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {**named, "outcome": value.outcome} if isinstance(value, Pair) else named
    if hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray | list | tuple):
        return [plain(each) for each in (value.tolist() if isinstance(value, np.ndarray) else value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value
