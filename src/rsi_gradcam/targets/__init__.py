"""What is explained, one kind per file: a probability, a logit, a margin, a unit, any function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from torch import Tensor

from rsi_gradcam.errors import TargetError
from rsi_gradcam.targets.base import BoundTarget, Target
from rsi_gradcam.targets.class_target import ClassTarget, as_classes, is_whole
from rsi_gradcam.targets.function import Function
from rsi_gradcam.targets.log_probability import LogProbability
from rsi_gradcam.targets.logit import Logit
from rsi_gradcam.targets.margin import Margin
from rsi_gradcam.targets.probability import Probability
from rsi_gradcam.targets.softmax import Softmax
from rsi_gradcam.targets.unit import ThroughUnit, Unit

SCORES: dict[str, type[ClassTarget]] = {
    "probability": Probability,
    "softmax": Softmax,
    "logit": Logit,
    "log_probability": LogProbability,
    "margin": Margin,
}
"""What of a class can be explained, by the name that a person would say."""

TargetLike: TypeAlias = int | Sequence[int] | Tensor | Callable[[Any], Tensor] | Target | None


def as_target(target: TargetLike, kind: type[ClassTarget] = Probability) -> Target:
    """A target from what a user writes: an index, one per image, None (the predicted class), a function."""
    if isinstance(target, Target):
        return target
    several = isinstance(target, Sequence) and not isinstance(target, str)
    if target is None or several or hasattr(target, "tolist") or is_whole(target):
        return kind(as_classes(target))
    if callable(target):
        return Function(target)
    raise TargetError(f"a target is a class index, one per image, None, a Target or a function, not {target!r}")


__all__ = [
    "SCORES",
    "BoundTarget",
    "ClassTarget",
    "Function",
    "LogProbability",
    "Logit",
    "Margin",
    "Probability",
    "Softmax",
    "Target",
    "TargetLike",
    "ThroughUnit",
    "Unit",
    "as_target",
]
