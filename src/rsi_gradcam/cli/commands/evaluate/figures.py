"""`rsi-gradcam evaluate figures`: the paper's figures from a store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options


def figures(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of an evaluation.")] = Path("evaluation"),
    chosen: Annotated[
        list[str] | None,
        typer.Option("--figures", "--figure", metavar="A,B,…", help="Their names or labels. Without: all."),
    ] = None,
    photos: Annotated[
        list[str] | None,
        typer.Option("--photo", metavar="NAME", help="A photo for the figures that show one. May be repeated."),
    ] = None,
    controls: Annotated[bool, typer.Option(help="Trivial maps beside the methods, in grey.")] = True,
    formats: Annotated[
        list[str] | None, typer.Option("--format", metavar="A,B,…", help="png, svg, pdf, jpg … Without: png and svg.")
    ] = None,
    out: options.Out = Path("figures"),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Draw the paper's figures from what a store holds; say which it does not give, and why."""
    from rsi_gradcam.cli.drawing import Drawing

    kinds = options.listed(formats) or ("png", "svg")
    Drawing(store, options.listed(chosen) or None, tuple(photos or ()), controls, kinds, out, json).run()
