"""One map of one photo, by itself and in plain values."""

from __future__ import annotations

from dataclasses import dataclass, replace

from torch import Tensor

from rsi_gradcam.cli.ranked import Ranked
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.methods.base import Method
from rsi_gradcam.targets import Target, ThroughUnit


@dataclass(frozen=True)
class Answer:
    """One map of one photo."""

    explanation: Explanation  # of a batch of one
    logits: Tensor | None  # (classes,): the network's answer, where the target looks at it

    @property
    def index(self) -> int | None:
        """The class that is explained, if it is one."""
        return self.explanation.classes[0] if self.explanation.classes else None

    @property
    def key(self) -> tuple[Method, str, int | None]:
        """Equal for two answers that say the same."""
        return self.explanation.method, self.explanation.layer, self.index


def once(answers: list[Answer]) -> list[Answer]:
    """Each map once, also where its class was asked for by its name and is among the likeliest."""
    return list({answer.key: answer for answer in reversed(answers)}.values())[::-1]


def alone(e: Explanation, row: int) -> Explanation:
    """What is known of one image of the batch, its class by its index."""
    one = slice(row, row + 1)
    classes = e.classes[one]
    return replace(
        e,
        target=plain(e.target, classes),
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


def plain(target: Target, classes: tuple[int | None, ...]) -> Target:
    """The target without what was noted in it, also where a neuron's stands around it."""
    if isinstance(target, ThroughUnit):
        return replace(target, of=plain(target.of, classes))
    return target.kind(*classes) if isinstance(target, Ranked) else target
