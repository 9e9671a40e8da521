"""The run of `diagnose`: one photo, and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import typer

from rsi_gradcam.cli.choices import MapChoice, NetworkChoice
from rsi_gradcam.cli.description import description
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.photos import Photo, only
from rsi_gradcam.cli.question import Plan, Question
from rsi_gradcam.cli.telling import json_line, line
from rsi_gradcam.cli.terminal import working


@dataclass(frozen=True)
class Diagnosing:
    """One run, as it was asked for."""

    network: NetworkChoice
    map: MapChoice
    json: bool

    def run(self, given: str | None) -> None:
        plan, path = Plan.of(self.map), only(given)
        question = Question(plan, network_of(self.network)).check()
        photo = Photo.read(path, path.stem, question.network.preprocess)
        with working("looking"):
            (answers,) = question.ask([photo], self.network.device)
        for answer in answers:
            said = description(photo, answer, question.network)
            for each in [json_line(said)] if self.json else words(said):
                typer.echo(each)


def words(said: Mapping[str, Any]) -> Iterator[str]:
    yield line(said)
    yield from (f"  {fact}" for fact in facts(said))
    for found in said["diagnosis"]:
        yield f"{found['cause']}: {found['message']}"
        yield f"  Try: {found['advice']}"
    if not said["diagnosis"]:
        yield "Nothing is wrong with this map."


def facts(said: Mapping[str, Any]) -> Iterator[str]:
    """The numbers of a healthy map, too."""
    if said["baseline_score"] is not None:
        change = said["score"] - said["baseline_score"]
        yield f"the score goes from {said['baseline_score']:.3g} at the baseline to {said['score']:.3g}"
        if said["residual"] is not None and change:
            yield f"the layer's integrals miss {abs(said['residual'] / change):.1%} of that"
    if said["cancellation"] is not None:
        yield f"{said['cancellation']:.0%} of the channels' sum is left after for and against have cancelled"
