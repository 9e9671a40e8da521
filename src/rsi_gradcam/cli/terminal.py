"""What moves on the screen while one waits. It goes to stderr, and only if a person is there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from rsi_gradcam.zoo.download import Progress as Told


def screen() -> Console:
    return Console(stderr=True)


def show(table: Table) -> None:
    """On stdout; wide enough for any name where no person reads it."""
    Console(width=None if sys.stdout.isatty() else 200).print(table)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A word and a spinner."""
    console = screen()
    if not console.is_terminal:
        yield
        return
    with console.status(f"{what} …"):
        yield


@contextmanager
def counted(what: str, total: int) -> Iterator[Progress]:
    """A bar over `total` things, all in its first task."""
    console = screen()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        bar.add_task(what, total=total)
        yield bar


@contextmanager
def downloads() -> Iterator[Told]:
    """What the zoo is to tell of its downloads."""
    console = screen()
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:

        def told(name: str, done: int, total: int) -> None:
            known = {task.description: task.id for task in bar.tasks}
            task = known[name] if name in known else bar.add_task(name)
            bar.update(task, completed=done, total=total or None)

        yield told
