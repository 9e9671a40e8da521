"""What is asked of every photo: names made things, and everything that can be wrong with them said at once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from rsi_gradcam import catalog
from rsi_gradcam.baselines import Baseline
from rsi_gradcam.cli import by_name
from rsi_gradcam.cli.answer import Answer, alone, once
from rsi_gradcam.cli.choices import MapChoice
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.probabilities import AlreadyProbabilities, are_probabilities
from rsi_gradcam.cli.ranked import NotFinite, Ranked
from rsi_gradcam.errors import ConfigurationError, TargetError
from rsi_gradcam.explaining import explain_all
from rsi_gradcam.methods.base import Method
from rsi_gradcam.paths import Path
from rsi_gradcam.settings import Settings, settle
from rsi_gradcam.targets import SCORES, ClassTarget, Logit, Margin
from rsi_gradcam.zoo import Network


@dataclass(frozen=True)
class Plan:
    """What can be said of the maps before there is a network."""

    methods: tuple[Method, ...]
    settings: Settings
    baseline: Baseline
    path: Path
    score: type[ClassTarget]
    choice: MapChoice

    @classmethod
    def of(cls, choice: MapChoice) -> Plan:
        settings = settle(choice.preset, steps=choice.steps, tolerance=choice.tolerance, max_passes=choice.max_passes)
        path = by_name.path(choice.path)
        check_together(choice, settings, path)
        methods = tuple(catalog.method(name, paper=settings.paper) for name in choice.method)
        score = SCORES[choice.score] if choice.score else settings.score
        return cls(methods, settings, by_name.baseline(choice.baseline), path, score, choice)


def check_together(choice: MapChoice, settings: Settings, path: Path) -> None:
    """What one option says, another must not make void: the record would not be true."""
    if settings.steps is not None and choice.max_passes is not None:
        raise ConfigurationError(
            f"{settings.steps} steps and --max-passes {choice.max_passes} exclude each other: "
            f"a bound on the passes goes with --tolerance"
        )
    if choice.baseline is not None and not path.from_baseline:
        raise ConfigurationError(
            f"--path {path.name} starts at an image of its own, so --baseline {choice.baseline} would say nothing: "
            f"leave one of them out"
        )


@dataclass(frozen=True)
class Question:
    """A plan for one network."""

    plan: Plan
    network: Network

    @cached_property
    def layers(self) -> list[str]:
        return [self.network.path_of(name) for name in self.plan.choice.layer] or [self.network.default_layer]

    @cached_property
    def baseline(self) -> Baseline:
        return self.network.baseline(self.plan.baseline)

    @cached_property
    def classes(self) -> list[tuple[int | None, int]]:
        """(index, rank) of each class that is explained."""
        named = [one for text in self.plan.choice.target or ("top-1",) for one in self.ranked(text)]
        return list(dict.fromkeys(named))

    def ranked(self, text: str) -> Iterator[tuple[int | None, int]]:
        top = re.fullmatch(r"top-?(\d+)", text.strip().lower())
        if top is None:
            yield self.network.index_of(text), 0
            return
        if not 1 <= int(top[1]) <= len(self.network.categories):
            raise TargetError(f"{text!r} is no choice: this network has {len(self.network.categories)} classes")
        yield from ((None, rank) for rank in range(int(top[1])))

    def check(self) -> Question:
        """Every name once, before any photo is opened."""
        _ = self.layers, self.baseline, self.classes
        return self

    def about(self, methods: Sequence[Method], layers: Sequence[str]) -> Question:
        """The same of some of the methods and layers."""
        choice = replace(self.plan.choice, layer=tuple(layers))
        return replace(self, plan=replace(self.plan, methods=tuple(methods), choice=choice))

    def ask(self, photos: Sequence[Photo], device: str) -> list[list[Answer]]:
        """For each photo its maps: method by method, layer by layer, class by class, each once."""
        try:
            answers = self.asked(torch.stack([photo.x for photo in photos]).to(device))
        except NotFinite as error:
            whose = ", ".join(str(photos[row].path) for row in error.rows)
            raise NotFinite(error.rows, whose) from error
        self.warn_of_probabilities(answers)
        return answers

    def asked(self, x: torch.Tensor) -> list[list[Answer]]:
        settings = self.plan.settings
        targets = [Ranked(self.plan.score, index, rank) for index, rank in self.classes]
        found = explain_all(
            self.network.network,
            x,
            self.layers,
            self.plan.methods,
            baseline=self.baseline,
            path=self.plan.path,
            targets=targets,
            steps=settings.steps,
            tolerance=settings.tolerance,
            max_passes=settings.max_passes,
            preset=self.plan.choice.preset,
        )
        if bad := {row for e in found.values() for row in (~e.score.isfinite()).nonzero()[:, 0].tolist()}:
            raise NotFinite(tuple(sorted(bad)))  # a unit's score is no part of the output
        return [
            once(
                [
                    Answer(alone(each, row), target.logits.get(row))
                    for (*_, target), each in found.items()
                    if isinstance(target, Ranked)
                ]
            )
            for row in range(len(x))
        ]

    def warn_of_probabilities(self, answers: Sequence[Sequence[Answer]]) -> None:
        outputs = [answer.logits for of_photo in answers for answer in of_photo]
        meant = issubclass(self.plan.score, Logit | Margin)  # these speak of the outputs as they are
        if not meant and any(each is not None and are_probabilities(each) for each in outputs):
            warnings.warn(
                "the network's outputs are probabilities already, and a softmax of them says little: "
                "take the network without its softmax, or --score logit, which explains an output as it is",
                AlreadyProbabilities,
                stacklevel=2,
            )
