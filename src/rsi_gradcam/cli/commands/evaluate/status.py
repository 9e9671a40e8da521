"""`rsi-gradcam evaluate status`: how far a store is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options


def status(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="The folder of an evaluation.")] = Path("evaluation"),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Say how far an evaluation is, how many photos each filter left, and which failed."""
    from rsi_gradcam.cli.standing import tell_standing

    tell_standing(store, json=json)
