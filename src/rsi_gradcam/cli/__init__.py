"""The command line: `rsi-gradcam explain photo.jpg`. One command per file of `commands`."""

from __future__ import annotations

import sys

from rsi_gradcam.errors import MissingExtra


def main() -> None:
    """What the `rsi-gradcam` program runs."""
    try:
        from rsi_gradcam.cli.application import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "click", "rich"):
            raise
        sys.exit(f"error: {MissingExtra('the command line', 'cli')}")
    app()
