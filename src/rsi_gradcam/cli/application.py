"""The program: its commands, and what becomes of their errors."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from rsi_gradcam.cli.commands.app import app as page
from rsi_gradcam.cli.commands.baseline import baseline
from rsi_gradcam.cli.commands.compare import compare
from rsi_gradcam.cli.commands.diagnose import diagnose
from rsi_gradcam.cli.commands.evaluate import evaluate
from rsi_gradcam.cli.commands.explain import explain
from rsi_gradcam.cli.commands.layers import layers
from rsi_gradcam.cli.commands.methods import methods
from rsi_gradcam.cli.commands.models import models
from rsi_gradcam.cli.faults import Fault

PROGRAM = "rsi-gradcam"
COMMANDS = (explain, compare, diagnose, layers, methods, models, baseline, page)


class Commands(TyperGroup):
    """A group of commands in which no error ends in a traceback, unless with --debug."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,  # noqa: ARG002 - completion goes by the program's own name
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        given = list(sys.argv[1:] if args is None else args)
        try:
            with warnings.catch_warnings():
                warnings.showwarning = warn  # put back by the block
                code = super().main(given or ["--help"], PROGRAM, complete_var, False, windows_expand_args, **extra)
        except Exception as error:
            if "--debug" in given:
                raise
            line, code = Fault.of(error)
            typer.echo(line, err=True)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code


def warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,  # noqa: ARG001
    lineno: int,  # noqa: ARG001
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    """The library's warnings in one line; those of others are for programmers."""
    if category.__module__.startswith("rsi_gradcam"):
        typer.echo(f"warning: {message}", err=True)


def show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"{PROGRAM} {version(PROGRAM)}")
        raise typer.Exit


def root(
    _version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Say the version and leave.")
    ] = False,
) -> None:
    """Where a convolutional network looked, by RSI-Grad-CAM and its relatives, and how sure that is."""


app = typer.Typer(
    cls=Commands, pretty_exceptions_enable=False, context_settings={"help_option_names": ["--help", "-h"]}
)
app.callback()(root)
for command in COMMANDS:
    app.command()(command)
app.add_typer(evaluate, name="evaluate")
