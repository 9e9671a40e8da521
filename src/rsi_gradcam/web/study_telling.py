"""What the page shows of an evaluation, in plain values: its table, its curves, and how they are to be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rsi_gradcam.web.telling import Told, number

if TYPE_CHECKING:
    from rsi_gradcam.evaluation.summary.rows import Row
    from rsi_gradcam.reporting.series import Series
    from rsi_gradcam.reporting.study import Study


def told(study: Study) -> Told:
    summary = study.summary
    columns = {row.column: row.better for row in summary.rows}
    return {
        "ground": study.ground,
        "funnel": dict(summary.funnel),
        "verdicts": list(summary.verdicts),
        "notes": list(summary.notes),
        "columns": [{"name": name, "better": better} for name, better in columns.items()],
        "rows": [row_of(study, each, summary.rows) for each in study.series],
        "curves": curves_of(study),
        "series": [series_of(study, each) for each in study.methods],
    }


def series_of(study: Study, series: Series) -> Told:
    return {
        "key": json.dumps(series.key),
        "title": series.title,
        "layer": study.layer_title(series.layer),
        "control": series.control,
    }


def row_of(study: Study, series: Series, rows: tuple[Row, ...]) -> Told:
    own = {row.column: row for row in rows if (row.method, row.layer) == series.key}
    values = {
        name: {
            "mean": number(row.mean),
            "low": number(row.interval.low),
            "high": number(row.interval.high),
            "n": row.n,
        }
        for name, row in own.items()
    }
    return series_of(study, series) | {"values": values}


def curves_of(study: Study) -> list[Told]:
    """By column: every line of it."""
    known = {each.key: each for each in study.series}
    found: dict[str, Told] = {}
    for curve in study.summary.curves:
        series = known.get((curve.method, curve.layer))
        if series is None:
            continue
        one = found.setdefault(curve.column, {"column": curve.column, "points": list(curve.points), "lines": []})
        one["lines"].append(series_of(study, series) | {"means": [number(mean) for mean in curve.means]})
    return list(found.values())
