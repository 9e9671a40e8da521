"""`rsi-gradcam evaluate summary`: what a store says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options


def summary(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of an evaluation.")] = Path("evaluation"),
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metrics",
            "--metric",
            metavar="A,B,…",
            help="Metrics, or single columns of theirs. Without: all that were measured.",
        ),
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", min=100, help="From so many resamples of the photos the intervals are made.")
    ] = 2000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the resamples.")] = 0,
    csv: Annotated[
        Path | None,
        typer.Option(
            rich_help_panel=options.OUTPUT,
            metavar="FILE",
            help="Also write the table there; beside it the comparisons, and the numbers of the whole set.",
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", rich_help_panel=options.OUTPUT, help="Also where no difference was seen, or it is unclear."
        ),
    ] = False,
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Say what was measured: means with intervals, where a control wins, and which differences were seen."""
    from rsi_gradcam.cli.summing_up import tell_summary, write_csv
    from rsi_gradcam.cli.terminal import working
    from rsi_gradcam.evaluation.store import Store
    from rsi_gradcam.evaluation.summary import summarise

    opened = Store.open(store)
    with working("counting"):
        found = summarise(opened, seed=seed, resamples=resamples, metrics=options.listed(metrics) or None)
    if csv:
        write_csv(found, csv)
    tell_summary(found, opened.manifest["configuration"], json=json, every=every)
