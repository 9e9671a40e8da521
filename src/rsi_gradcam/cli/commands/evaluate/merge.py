"""`rsi-gradcam evaluate merge`: one store of several."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rsi_gradcam.cli import options


def merge(
    stores: Annotated[list[Path], typer.Argument(metavar="STORE...", help="Stores of the same evaluation.")],
    out: Annotated[Path, typer.Option(rich_help_panel=options.OUTPUT, metavar="STORE", help="The folder.")] = Path(
        "evaluation"
    ),
    json: options.Json = False,
    debug: options.Debug = False,  # noqa: ARG001 - seen by the group
) -> None:
    """Put the parts of several stores into one, as after a run in shards. Another evaluation's are refused."""
    from rsi_gradcam.cli.standing import tell_standing
    from rsi_gradcam.evaluation.merging import merge as merged

    merged(stores, out)
    tell_standing(out, json=json)
