"""From a store to files: the figures, and the report."""

from __future__ import annotations

import json as js
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from rsi_gradcam.cli.terminal import working
from rsi_gradcam.cli.whole_file import usable, whole_file
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.figures.sheet import PIXELS, VECTORS, save
from rsi_gradcam.reporting.drawing import draw, plates
from rsi_gradcam.reporting.plates.base import Drawn, Skipped
from rsi_gradcam.reporting.report import report
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class Drawing:
    """`evaluate figures`: its options."""

    store: Path
    chosen: Sequence[str] | None
    photos: tuple[str, ...]
    controls: bool
    kinds: Sequence[str]
    out: Path
    json: bool

    def run(self) -> None:
        known = [ending[1:] for ending in (*PIXELS, *VECTORS)]
        for kind in self.kinds:
            if kind not in known:
                raise ConfigurationError(f"{kind!r} is no format of figures: {did_you_mean(kind, known)}")
        wanted = plates(self.chosen)
        study = Study(Store.open(self.store), self.controls, self.photos)
        usable(self.out)
        with working("drawing"):
            for each in draw(study, wanted):
                self.tell(each)

    def tell(self, each: Drawn | Skipped) -> None:
        """Writes a figure, and says so in a line."""
        if isinstance(each, Skipped):
            line = {"figure": each.name, "files": [], "skipped": each.why}
            typer.echo(js.dumps(line, ensure_ascii=False) if self.json else f"{each.name}: not drawn, {each.why}")
            return
        files = [str(save(each.figure, self.out / f"{each.name}.{kind}")) for kind in self.kinds]
        said = {"figure": each.name, "files": files, "shows": each.caption}
        typer.echo(js.dumps(said, ensure_ascii=False) if self.json else f"{each.name} → {', '.join(files)}")


def write_report(store: Path, most: int, photos: bool, controls: bool, out: Path, *, json: bool) -> None:
    """`evaluate report`."""
    study = Study(Store.open(store), controls)
    usable(out.parent)
    with working("writing the report"):
        page = report(study, most=most, photos=photos).encode()
    with whole_file(out) as file:
        file.write(page)
    said = {"report": str(out), "bytes": len(page)}
    typer.echo(js.dumps(said) if json else f"{out}, {len(page) / 1e6:.1f} MB: open it in a browser")
