"""What mkdocs is to do besides: the command line's page is written by the program itself."""

from __future__ import annotations

from typing import Any

import typer
from typer.cli import get_docs_for_click

from rsi_gradcam.cli.application import PROGRAM, app

PLACE = "<!-- commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Every command with its options, one level below the page's own title, where the page has a place for them."""
    if PLACE not in markdown:
        return markdown
    command = typer.main.get_command(app)
    found = get_docs_for_click(obj=command, ctx=typer.Context(command), name=PROGRAM, indent=1)
    return markdown.replace(PLACE, found)
