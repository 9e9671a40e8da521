"""The run of `compare`: one photo, many maps, one picture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from rsi_gradcam import catalog
from rsi_gradcam.cli.answer import Answer
from rsi_gradcam.cli.asking_apart import Asking, Refusal
from rsi_gradcam.cli.choices import MapChoice, NetworkChoice, TableChoice
from rsi_gradcam.cli.description import Said
from rsi_gradcam.cli.file_names import file_name
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.photos import Photo, only
from rsi_gradcam.cli.question import Plan, Question
from rsi_gradcam.cli.record import Record
from rsi_gradcam.cli.results import save_json, save_picture
from rsi_gradcam.cli.telling import json_line, line
from rsi_gradcam.cli.terminal import working
from rsi_gradcam.cli.whole_file import usable
from rsi_gradcam.figures.colours import table
from rsi_gradcam.figures.comparison import comparison
from rsi_gradcam.figures.sheet import to_image


@dataclass(frozen=True)
class Comparing:
    """One run, as it was asked for."""

    network: NetworkChoice
    map: MapChoice
    picture: TableChoice
    out: Path
    json: bool

    def run(self, given: str | None) -> None:
        plan, path = Plan.of(self.map), only(given)
        table(self.picture.look()["colours"])  # an error if there is none
        usable(self.out)
        question = Question(plan, network_of(self.network)).check()
        photo = Photo.read(path, path.stem, question.network.preprocess)
        with working("comparing"):
            asking = Asking(question, photo, self.network.device)
            picture, said = self.written(question, photo, asking.answers(), asking.refusals)
        for refusal in asking.refusals:
            typer.echo(f"warning: no {catalog.name_of(refusal.method)} at {refusal.layer}: {refusal.error}", err=True)
        for each in said:
            typer.echo(json_line(each) if self.json else line(each))
        if not self.json:
            typer.echo(f"→ {picture}")

    def written(
        self, question: Question, photo: Photo, answers: list[Answer], refusals: list[Refusal]
    ) -> tuple[Path, list[Said]]:
        files = {
            "picture": self.out / file_name(photo.name, "comparison.png"),
            "record": self.out / file_name(photo.name, "comparison.json"),
        }
        explanations = [answer.explanation for answer in answers]
        refused = [(refusal.method, refusal.layer) for refusal in refusals]
        figure = comparison(
            photo.image,
            explanations,
            network=question.network,
            refused=refused,
            show=self.picture.show,
            **self.picture.look(),
        )
        save_picture(to_image(figure), files["picture"])
        record = Record("compare", question, self.network, self.picture, self.out)
        said = [record.of(photo, answer, answers, files) for answer in answers]
        save_json(said, files["record"])
        return files["picture"], said
