"""`rsi-gradcam evaluate report`: all of an evaluation in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of an evaluation.")] = Path("evaluation"),
    most: Annotated[int, typer.Option(metavar="N", min=0, help="At most so many photos in the gallery.")] = 60,
    photos: Annotated[
        bool, typer.Option(help="Photos inside the file, under their heatmaps; without, heatmaps alone.")
    ] = True,
    controls: Annotated[bool, typer.Option(help="Trivial maps beside the methods, in grey.")] = True,
    out: Annotated[Path, typer.Option(rich_help_panel=options.OUTPUT, metavar="FILE", help="The HTML file.")] = Path(
        "report.html"
    ),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Write a report: what was run, the table and what it says, figures, photos with all maps, in one file."""
    from rsi_gradcam.cli.drawing import write_report

    write_report(store, most, photos, controls, out, json=json)
