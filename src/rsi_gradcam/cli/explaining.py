"""The run of `explain`: photos in, files and lines out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import torch
import typer

from rsi_gradcam.belt import Behind, ahead, thread
from rsi_gradcam.cli.choices import MapChoice, NetworkChoice, PictureChoice
from rsi_gradcam.cli.description import Said
from rsi_gradcam.cli.faults import FAILED, Fault
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.photos import Photo, chosen
from rsi_gradcam.cli.question import Answer, Plan, Question
from rsi_gradcam.cli.record import Record
from rsi_gradcam.cli.results import Results
from rsi_gradcam.cli.telling import json_line, line
from rsi_gradcam.cli.terminal import counted
from rsi_gradcam.cli.whole_file import usable
from rsi_gradcam.errors import ImageError
from rsi_gradcam.figures.colours import table

AT_ONCE = 4  # photos that the network gets together: more were no faster on two cores


@dataclass(frozen=True)
class Explaining:
    """One run, as it was asked for."""

    network: NetworkChoice
    map: MapChoice
    picture: PictureChoice
    out: Path
    json: bool

    def run(self, photos: Sequence[str] | None) -> None:
        plan, paths = Plan.of(self.map), chosen(photos)
        table(self.picture.colours)  # an error if there is none
        usable(self.out)
        question = Question(plan, network_of(self.network)).check()
        results = Results(Record("explain", question, self.network, self.picture, self.out))
        failed = 0
        with counted("explaining", len(paths)) as bar:
            for made in explained(paths, question, results, self.network.device):
                failed += isinstance(made, ImageError)
                self.tell(made)
                bar.advance(bar.task_ids[0])
        if len(paths) > 1 and not self.json:
            typer.echo(f"{len(paths) - failed} of {len(paths)} photos explained, in {self.out}")
        if failed:
            raise typer.Exit(FAILED)

    def tell(self, made: list[Said] | ImageError) -> None:
        if isinstance(made, ImageError):
            typer.echo(Fault.of(made).line, err=True)
            return
        for said in made:
            typer.echo(json_line(said) if self.json else line(said))


def explained(
    paths: dict[Path, str], question: Question, results: Results, device: str
) -> Iterator[list[Said] | ImageError]:
    """What was written for each photo, once it is written; or why it could not be read."""
    with thread() as pool:
        writer: Behind[list[Said]] = Behind(pool, 2 * AT_ONCE)
        for read_ones in groups(paths, question):
            photos = [each for each in read_ones if isinstance(each, Photo)]
            yield from (each for each in read_ones if isinstance(each, ImageError))
            answers = question.ask(torch.stack([photo.x for photo in photos]).to(device)) if photos else []
            for photo, of_photo in zip(photos, answers, strict=True):
                yield from writer.put(partial(write, results, photo, of_photo))
        yield from writer.rest()


def groups(paths: dict[Path, str], question: Question) -> Iterator[list[Photo | ImageError]]:
    """The photos that the network gets together, read ahead of it."""

    def attempt(item: tuple[Path, str]) -> Photo | ImageError:
        try:
            return Photo.read(*item, question.network.preprocess)
        except ImageError as error:
            return error

    photos = ahead(attempt, paths.items(), 2 * AT_ONCE)
    while group := list(itertools.islice(photos, AT_ONCE)):
        yield group


def write(results: Results, photo: Photo, answers: Sequence[Answer]) -> list[Said]:
    """Each class once, also where it was asked for by its name and is among the likeliest."""
    once = {answer.index: answer for answer in answers}
    return [results.write(photo, answer, answers) for answer in once.values()]
