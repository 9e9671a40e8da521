"""What is asked of every photo: names made things, and everything that can be wrong with them said at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from torch import Tensor

from rsi_gradcam import catalog
from rsi_gradcam.baselines import Baseline
from rsi_gradcam.cli.choices import MapChoice
from rsi_gradcam.cli.ranked import Ranked
from rsi_gradcam.errors import TargetError
from rsi_gradcam.explaining import explain_all
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.methods.base import Method
from rsi_gradcam.paths import Path
from rsi_gradcam.settings import Settings, settle
from rsi_gradcam.targets import SCORES, ClassTarget
from rsi_gradcam.zoo import Network


@dataclass(frozen=True)
class Answer:
    """One map of one photo."""

    explanation: Explanation  # of a batch of one
    logits: Tensor | None  # (classes,): the network's answer, where the target looks at it

    @property
    def index(self) -> int | None:
        """The class that is explained, if it is one."""
        return self.explanation.classes[0] if self.explanation.classes else None


@dataclass(frozen=True)
class Plan:
    """What can be said of the maps before there is a network."""

    methods: tuple[Method, ...]
    settings: Settings
    path: Path
    score: type[ClassTarget]
    choice: MapChoice

    @classmethod
    def of(cls, choice: MapChoice) -> Plan:
        settings = settle(choice.preset, steps=choice.steps, tolerance=choice.tolerance, max_passes=choice.max_passes)
        catalog.baseline(choice.baseline)
        methods = tuple(catalog.method(name, paper=settings.paper) for name in choice.method)
        score = SCORES[choice.score] if choice.score else settings.score
        return cls(methods, settings, catalog.path(choice.path), score, choice)


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
        return self.network.baseline(self.plan.choice.baseline)

    @cached_property
    def classes(self) -> list[tuple[int | None, int]]:
        """(index, rank) of each class that is explained."""
        return [one for text in self.plan.choice.target or ("top-1",) for one in self.ranked(text)]

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

    def ask(self, x: Tensor) -> list[list[Answer]]:
        """For each image its maps: method by method, layer by layer, class by class."""
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
        return [
            [
                Answer(alone(each, row), target.logits.get(row))
                for (*_, target), each in found.items()
                if isinstance(target, Ranked)
            ]
            for row in range(len(x))
        ]


def alone(e: Explanation, row: int) -> Explanation:
    """What is known of one image of the batch, its class by its index."""
    one = slice(row, row + 1)
    classes = e.classes[one]
    return replace(
        e,
        target=e.target.kind(*classes) if isinstance(e.target, Ranked) else e.target,
        classes=classes,
        raw=e.raw[one],
        signed=e.signed[one],
        weights=None if e.weights is None else e.weights[one],
        cancellation=e.cancellation[one],
        score=e.score[one],
        baseline_score=e.baseline_score[one],
        residual=e.residual[one],
        passes=e.passes[one],
        error=e.error[one],
        course=e.course[one],
        forming=e.forming[one],
    )
