"""The common part of every target that is a function of the logits and of one class."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from operator import index
from typing import ClassVar, SupportsIndex, TypeGuard

import torch
from torch import Tensor

from rsi_gradcam.errors import TargetError
from rsi_gradcam.targets.base import Activations, BoundTarget, Pull, Target, choose_classes, logits_of


@dataclass(frozen=True)
class ClassTarget(Target):
    """A class by its index, one index for each image, or None for the class that the model predicts."""

    classes: int | tuple[int, ...] | None = None

    compares: ClassVar[bool] = True  # does y set the class against the others?

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", as_classes(self.classes))

    @abstractmethod
    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:
        """y and v = ∂y/∂logits in closed form; `rival` is the runner-up where the image itself was seen."""

    def reads(self) -> Hashable:
        return ClassTarget  # the logits, whichever class and score

    def check(self, count: int) -> None:
        if isinstance(self.classes, tuple) and len(self.classes) != count:
            raise TargetError(
                f"{len(self.classes)} targets for {count} images: give one class, or one for each image"
            )

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:  # noqa: ARG002
        logits = logits_of(output).detach()
        if logits.shape[1] < 2 and self.compares:
            raise TargetError(
                f"the model has one output, so its {type(self).__name__.lower()} among classes says nothing: "
                f"use target=Logit(0), or a function of the output"
            )
        chosen = choose_classes(logits, self.classes, rows)
        others = logits.scatter(1, chosen[:, None], -torch.inf)
        return BoundClass(self, chosen, others.argmax(1))


@dataclass(frozen=True, eq=False)
class BoundClass(BoundTarget):
    target: ClassTarget
    chosen: Tensor  # batch
    rival: Tensor  # batch

    def pull(self, output: object, activations: Activations, rows: Tensor) -> Pull:  # noqa: ARG002
        logits = logits_of(output)
        with torch.no_grad():
            detached = logits.detach()
            wide = detached.float() if detached.dtype in (torch.float16, torch.bfloat16) else detached
            y, v = self.target.score(wide, self.chosen[rows], self.rival[rows])
        return Pull(y, logits, v)

    def key(self, row: int) -> Hashable:
        return int(self.chosen[row]), int(self.rival[row])

    def labels(self) -> tuple[int | None, ...]:
        return tuple(self.chosen.tolist())


def as_classes(given: object) -> int | tuple[int, ...] | None:
    """A class, one for each image, or None, from whatever holds whole numbers."""
    plain = given.tolist() if hasattr(given, "tolist") else given  # of a tensor or an array
    if plain is None:
        return None
    if isinstance(plain, Iterable) and not isinstance(plain, str):
        return tuple(whole(each) for each in plain)
    return whole(plain)


def is_whole(number: object) -> TypeGuard[SupportsIndex]:
    return hasattr(number, "__index__") and not isinstance(number, bool)


def whole(number: object) -> int:
    if not is_whole(number):
        raise TargetError(f"a class is a whole number, or one for each image, got {number!r}")
    return index(number)


def one_hot(like: Tensor, index: Tensor) -> Tensor:
    """1 at each row's index, in the shape of `like`."""
    return torch.zeros_like(like).scatter(1, index[:, None], 1.0)


def pick(values: Tensor, index: Tensor) -> Tensor:
    """Each row's value at its index."""
    return values.gather(1, index[:, None])[:, 0]
