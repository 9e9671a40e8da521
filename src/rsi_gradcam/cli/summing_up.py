"""A summary as tables and sentences for people, as JSON or CSV for machines."""

from __future__ import annotations

import csv
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.table import Table

from rsi_gradcam.cli.telling import json_line
from rsi_gradcam.cli.terminal import show
from rsi_gradcam.evaluation.summary import Summary
from rsi_gradcam.evaluation.summary.measure import Place
from rsi_gradcam.evaluation.summary.pairs import bounds_of
from rsi_gradcam.evaluation.summary.rows import Row
from rsi_gradcam.evaluation.summary.verdicts import is_open, telling, verdicts_of

WIDTH = 100
GAP = 2  # between columns
ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


def tell_summary(summary: Summary, configuration: Mapping[str, Any], *, json: bool, every: bool = False) -> None:
    """`every`: also what was not seen, or is unclear."""
    if json:
        typer.echo(json_line(summary.as_dict()))
        return
    funnel = (f"{count} {name}" for name, count in summary.funnel.items() if name != "failed")
    typer.echo(wrapped(f"funnel: {' → '.join(funnel)}; {summary.funnel['failed']} failed"))
    for table in tables(summary, bounds_of(configuration)):
        typer.echo()
        show(table)
    for pooled in pooled_lines(summary):
        typer.echo(wrapped(pooled))
    typer.echo()
    for line in (*sentences(summary, configuration, every), *(f"note: {note}" for note in summary.notes)):
        typer.echo(wrapped(f"• {line}"))


def sentences(summary: Summary, configuration: Mapping[str, Any], every: bool) -> Iterator[str]:
    """The verdicts, but for numbers that are the same for all; of those on what is not decided only how many."""
    said = verdicts_of(summary.rows, telling(summary.pairs), configuration)
    left_out = 0 if every else sum(map(is_open, said))
    yield from (each for each in said if every or not is_open(each))
    if left_out:
        yield f"left out: {left_out} on what was not seen, is unclear or cannot be told: --all has them"


def wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def tables(summary: Summary, bounds: Sequence[str]) -> Iterator[Table]:
    """All means, as many measures side by side as fit; then those that dark maps have moved."""
    means = {row.column: {row.place: cell(row) for row in of(summary, row.column)} for row in summary.rows}
    arrows = {row.column: ARROWS[row.better] for row in summary.rows}
    yield from fitted({f"{column}{arrows[column]}": cells for column, cells in means.items()}, summary, bounds)
    moved = {
        row.column: {each.place: without_dark(each) for each in of(summary, row.column) if each.n_dark}
        for row in summary.rows
    }
    there = {
        f"{column}, without dark": cells
        for column, cells in moved.items()
        if cells and not column.startswith("darkness")
    }
    yield from fitted(there, summary, bounds)


def of(summary: Summary, column: str) -> list[Row]:
    return [row for row in summary.rows if row.column == column]


def fitted(columns: Mapping[str, Mapping[Place, str]], summary: Summary, bounds: Sequence[str]) -> Iterator[Table]:
    """Tables of at most WIDTH, with one row for each place that has a cell."""
    left = list(columns.items())
    while left:
        places = list(dict.fromkeys(place for _, cells in left for place in cells))
        names = [(named(place, bounds), summary.layers.get(place.layer, place.layer)) for place in places]
        room = WIDTH - sum(max(map(len, each)) + GAP for each in zip(*names, strict=True))
        taken: list[tuple[str, Mapping[Place, str]]] = []
        while left and (not taken or room >= width(left[0])):
            taken.append(left.pop(0))
            room -= width(taken[-1]) + GAP
        table = Table(box=None, pad_edge=False, header_style="bold")
        for header in ("method", "layer", *(header for header, _ in taken)):
            table.add_column(header, overflow="fold")
        for place, (name, layer) in zip(places, names, strict=True):
            cells = [own.get(place, "") for _, own in taken]
            table.add_row(name, layer, *cells, style="dim" if place.control else None)
        yield table


def width(column: tuple[str, Mapping[Place, str]]) -> int:
    header, cells = column
    return max(len(header), *map(len, cells.values()))


def named(place: Place, bounds: Sequence[str]) -> str:
    if not place.control:
        return place.method
    return f"{'bound' if place.method in bounds else 'control'} {place.method}"


def cell(row: Row) -> str:
    """0.5 [0.4, 0.6]"""
    if not row.n:
        return ""
    ends = f" [{number(row.interval.low)}, {number(row.interval.high)}]" if row.interval.exists else ""
    return number(row.mean) + ends


def without_dark(row: Row) -> str:
    """0.5 (3 of 40 dark)"""
    said = "" if row.n_dark == row.n else f"{number(row.mean_without_dark)} "
    return f"{said}({row.n_dark} of {row.n} dark)"


def number(value: float) -> str:
    return f"{value:.3g}"


def pooled_lines(summary: Summary) -> Iterator[str]:
    """A line for each number of the whole set."""
    for metric, name in dict.fromkeys((each.metric, each.name) for each in summary.pooled):
        own = [each for each in summary.pooled if (each.metric, each.name) == (metric, name)]
        said = (f"{each.method} at {summary.layers.get(each.layer, each.layer)} {number(each.value)}" for each in own)
        yield f"{metric}, {name} of the whole set: {', '.join(said)}"


def write_csv(summary: Summary, path: Path) -> None:
    """The table; beside it in `….pairs.csv` its comparisons, and in `….whole.csv` the numbers of the whole set."""
    said = summary.as_dict()
    write_rows(said["rows"], path)
    write_rows(said["pairs"], path.with_suffix(f".pairs{path.suffix}"))
    if said["pooled"]:
        write_rows(said["pooled"], path.with_suffix(f".whole{path.suffix}"))


def write_rows(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    flat = [dict(flattened(row)) for row in rows]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(flat[0]) if flat else [])
        writer.writeheader()
        writer.writerows(flat)


def flattened(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Values one level up: interval → interval_low, interval_high."""
    for name, value in row.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{before}{name}_")
        else:
            yield f"{before}{name}", value
