"""`rsi-gradcam evaluate`: measuring maps on a data set. Each file beside this one is a command of its name."""

from __future__ import annotations

import importlib
import pkgutil

import typer

evaluate = typer.Typer(help="Measure maps on a data set: resumable, on one machine or many.", no_args_is_help=True)
for file in sorted(module.name for module in pkgutil.iter_modules(__path__)):
    evaluate.command()(getattr(importlib.import_module(f"{__name__}.{file}"), file))
