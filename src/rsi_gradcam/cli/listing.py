"""Things of a kind, as a table for people or as JSON lines."""

from __future__ import annotations

from collections.abc import Sequence

import typer
from rich.table import Table

from rsi_gradcam.cli.description import Json, Said
from rsi_gradcam.cli.telling import json_line
from rsi_gradcam.cli.terminal import show


def listing(rows: Sequence[Said], *, json: bool) -> None:
    """One row for each; all have the same columns."""
    if json:
        for row in rows:
            typer.echo(json_line(row))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in rows[0]:
        table.add_column(column.replace("_", " "), overflow="fold")
    for row in rows:
        table.add_row(*(cell(value) for value in row.values()))
    show(table)


def cell(value: Json) -> str:
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    return "×".join(map(str, value)) if isinstance(value, list) else str(value)
