"""`rsi-gradcam app`: the page in the browser."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options

PAGE = "Page"


def app(
    model: options.Model = options.MODEL,
    weights: options.Weights = None,
    host: Annotated[
        str, typer.Option(rich_help_panel=PAGE, metavar="ADDRESS", help="0.0.0.0 opens it to the network.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(rich_help_panel=PAGE, metavar="N", min=1, max=65535, help="Without: 7860, or the next."),
    ] = None,
    browser: Annotated[bool, typer.Option(rich_help_panel=PAGE, help="Open the browser.")] = True,
    store: Annotated[
        list[Path] | None,
        typer.Option(rich_help_panel=PAGE, metavar="FOLDER", help="An evaluation to look at. May be repeated."),
    ] = None,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Explore photos in the browser: drop one, and see where the network looked, by any method, layer and class."""
    from rsi_gradcam.web.serve import Serving

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that uploads are removed
    page = Serving(host, port, browser, model, weights, tuple(store or ()))
    with page.opened() as (blocks, address):
        typer.echo(f"the page is at {address} (Ctrl-C ends it)")
        blocks.block_thread()
