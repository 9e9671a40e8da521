"""The run of `explain`: photos in, files and lines out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from rsi_gradcam.belt import Behind, ahead, thread
from rsi_gradcam.cli.answer import Answer
from rsi_gradcam.cli.choices import MapChoice, MapPictureChoice, NetworkChoice
from rsi_gradcam.cli.description import Said
from rsi_gradcam.cli.faults import FAILED, Fault
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.photos import Photo, chosen
from rsi_gradcam.cli.question import Plan, Question
from rsi_gradcam.cli.ranked import NotFinite
from rsi_gradcam.cli.record import Record
from rsi_gradcam.cli.results import Results
from rsi_gradcam.cli.telling import json_line, line
from rsi_gradcam.cli.terminal import counted
from rsi_gradcam.cli.whole_file import usable
from rsi_gradcam.errors import ImageError, ModelError, RSIGradCAMError
from rsi_gradcam.figures.colours import table
from rsi_gradcam.figures.sheet import Sheet

MOST_SHOWN = 10
AT_ONCE = 4  # photos that the network gets together: more were no faster on two cores


@dataclass(frozen=True)
class Explaining:
    """One run, as it was asked for."""

    network: NetworkChoice
    map: MapChoice
    picture: MapPictureChoice
    out: Path
    json: bool

    def run(self, photos: Sequence[str] | None) -> None:
        plan, paths = Plan.of(self.map), chosen(photos)
        table(self.picture.look()["colours"])  # an error if there is none
        if self.picture.titled:
            Sheet.blank(1, 1)  # an error if nothing draws
        usable(self.out)
        question = Question(plan, network_of(self.network)).check()
        results = Results(Record("explain", question, self.network, self.picture, self.out))
        failed: list[Failed] = []
        with counted("explaining", len(paths)) as bar:
            for made in explained(paths, question, results, self.network.device):
                failed += [made] if isinstance(made, Failed) else []
                self.tell(made)
                bar.advance(bar.task_ids[0])
        if len(paths) > 1 and not self.json:
            typer.echo(summary(len(paths), self.out, failed))
        if failed:
            raise typer.Exit(FAILED)

    def tell(self, made: list[Said] | Failed) -> None:
        if isinstance(made, Failed):
            typer.echo(Fault.of(made.error).line, err=True)
            if self.json:
                typer.echo(json_line(made.said))
            return
        for said in made:
            typer.echo(json_line(said) if self.json else line(said))


@dataclass(frozen=True)
class Failed:
    """A photo of which nothing was made, and why; the others go on."""

    path: Path
    error: RSIGradCAMError

    @property
    def said(self) -> Said:
        return {"photo": str(self.path), "error": " ".join(str(self.error).split())}


def summary(count: int, out: Path, failed: Sequence[Failed]) -> str:
    made = f"{count - len(failed)} of {count} photos explained, in {out}"
    if not failed:
        return made
    more = f" and {len(failed) - MOST_SHOWN} more" if len(failed) > MOST_SHOWN else ""
    return f"{made}; not: {', '.join(str(each.path) for each in failed[:MOST_SHOWN])}{more} (why is said above)"


def explained(
    paths: dict[Path, str], question: Question, results: Results, device: str
) -> Iterator[list[Said] | Failed]:
    """What was written for each photo, once it is written; or why there is nothing."""
    with thread() as pool:
        writer: Behind[list[Said] | Failed] = Behind(pool, 2 * AT_ONCE)
        for read_ones in groups(paths, question):
            photos = [each for each in read_ones if isinstance(each, Photo)]
            yield from (each for each in read_ones if isinstance(each, Failed))
            for photo, answers in asked(photos, question, device):
                if isinstance(answers, Failed):
                    yield answers
                else:
                    yield from writer.put(partial(write, results, photo, answers))
        yield from writer.rest()


def asked(photos: Sequence[Photo], question: Question, device: str) -> Iterator[tuple[Photo, list[Answer] | Failed]]:
    """All together; without those for which the network gives no numbers, where there are such."""
    while photos:
        try:
            yield from zip(photos, question.ask(photos, device), strict=True)
            return
        except NotFinite as error:
            for row in error.rows:
                yield photos[row], Failed(photos[row].path, NotFinite((row,), str(photos[row].path)))
            photos = [photo for row, photo in enumerate(photos) if row not in error.rows]


def groups(paths: dict[Path, str], question: Question) -> Iterator[list[Photo | Failed]]:
    """The photos that the network gets together, read ahead of it."""

    def attempt(item: tuple[Path, str]) -> Photo | Failed:
        try:
            return Photo.read(*item, question.network.preprocess)
        except ImageError as error:
            return Failed(item[0], error)

    photos = ahead(attempt, paths.items(), 2 * AT_ONCE)
    while group := list(itertools.islice(photos, AT_ONCE)):
        yield group


def write(results: Results, photo: Photo, answers: Sequence[Answer]) -> list[Said] | Failed:
    """All maps of one photo, if all are numbers: a finite score may have gradients that are not."""
    for answer in answers:
        if not bool(answer.explanation.signed.isfinite().all()):
            return Failed(photo.path, ModelError(f"the map for {photo.path} is not finite: see what `diagnose` says"))
    return [results.write(photo, answer, answers) for answer in answers]
