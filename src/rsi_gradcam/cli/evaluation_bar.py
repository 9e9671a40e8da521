"""The progress of an evaluation: photos per second, time left, and the running means of a headline metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from rsi_gradcam.cli.terminal import screen
from rsi_gradcam.evaluation.manifest import Manifest
from rsi_gradcam.evaluation.schema import Row, metric_columns

SHOWN = 2  # headline metrics


class Speed(ProgressColumn):
    """Photos in a second; seconds for a photo where that is more than one."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if not speed:
            return Text("– photos/s")
        return Text(f"{speed:.1f} photos/s" if speed >= 1 else f"{1 / speed:.1f} s/photo")


@dataclass
class Means:
    """Running means of the first headline metrics, for each method at the last layer."""

    columns: tuple[str, ...]
    layer: str
    sums: dict[tuple[str, str], tuple[float, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, manifest: Manifest) -> Means:
        headlines: dict[str, str] = {}
        for metric in manifest["configuration"]["metrics"]:
            for column in metric["columns"]:
                if column["headline"]:
                    headlines.setdefault(metric["name"], column["name"])
        known = [column["name"] for column in metric_columns(manifest)]
        first = sorted(headlines.values(), key=known.index)[:SHOWN]
        return cls(tuple(first), list(manifest["configuration"]["layers"])[-1])

    def add(self, rows: list[Row]) -> None:
        for row in rows:
            if row["kind"] == "method" and row["layer"] == self.layer:
                for column in self.columns:
                    self.add_one((column, row["method"]), row.get(column))

    def add_one(self, key: tuple[str, str], value: Any) -> None:
        if value is not None and value == value:  # noqa: PLR0124 - nan is not itself
            total, count = self.sums.get(key, (0.0, 0))
            self.sums[key] = total + float(value), count + 1

    def __str__(self) -> str:
        found: Mapping[str, list[str]] = {column: [] for column in self.columns}
        for (column, method), (total, count) in self.sums.items():
            found[column].append(f"{method} {total / count:.3f}")
        return "\n".join(f"{column}: {', '.join(values)}" for column, values in found.items() if values)


class Standing(Progress):
    """The bar, and below it a line for each metric."""

    below: str = ""

    def get_renderables(self) -> Iterator[RenderableType]:
        yield self.make_tasks_table(self.tasks)
        yield from (Text(line, "dim", no_wrap=True, overflow="ellipsis") for line in self.below.splitlines())


@dataclass
class EvaluationBar:
    """Hears of each photo."""

    bar: Standing
    means: Means
    failed: int = 0

    def add(self, rows: list[Row]) -> None:
        self.means.add(rows)
        self.failed += bool(rows[0]["error"])
        failed = f"{self.failed} failed\n" if self.failed else ""
        self.bar.below = f"{failed}{self.means}"
        self.bar.advance(self.bar.task_ids[0])


@contextmanager
def evaluation_bar(total: int, manifest: Manifest) -> Iterator[EvaluationBar]:
    console = screen()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(20),
        MofNCompleteColumn(),
        Speed(),
        TimeRemainingColumn(),
    )
    with Standing(
        *columns, console=console, transient=True, disable=not console.is_terminal, speed_estimate_period=300
    ) as bar:
        bar.add_task("evaluating", total=total)
        yield EvaluationBar(bar, Means.of(manifest))
