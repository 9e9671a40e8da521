"""What is explained: y, a number for each image, and where its gradient starts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import TargetError

Activations = Mapping[str, Tensor]
Layer: TypeAlias = str | nn.Module
Find = Callable[[Layer], str]  # a layer's dotted name in the model


@dataclass(frozen=True)
class Pull:
    """y, and the tensor `root` with the cotangent v that starts the way back: dy = Σ v · d(root)."""

    y: Tensor  # batch
    root: Tensor  # batch ...
    cotangent: Tensor  # batch ...


class BoundTarget(ABC):
    """A target that knows, for each image of the batch, which unit of the output it speaks of."""

    conserves: bool = True  # do the attributions along a path add up to the change of y?
    layers: tuple[str, ...] = ()  # layers whose activations it reads

    @abstractmethod
    def pull(self, output: object, activations: Activations, rows: Tensor) -> Pull:
        """Of these outputs, one for each of `rows`: the images (by index) that they belong to."""

    @abstractmethod
    def key(self, row: int) -> Hashable:
        """Equal for two images whose y is the same function of the output."""

    def labels(self) -> tuple[int | None, ...]:
        """The class that each image is explained for, where there is one."""
        return ()


class Target(ABC):
    """A frozen description of y, bound to a batch once the model has seen it."""

    layers: tuple[str, ...] = ()

    def reads(self) -> Hashable | None:
        """Where in the network it starts from: equal for two targets that start from the same place.

        None where that cannot be said without keeping what belongs to the user alive.
        """
        return self

    @abstractmethod
    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:
        """`output` is the model's for the images themselves; `rows` are their places in the user's batch."""

    def located(self, find: Find) -> Target:  # noqa: ARG002
        """The same, with the layers that it reads by their dotted names."""
        return self

    def check(self, count: int) -> None:  # noqa: B027 - most targets fit any batch
        """An error where the target does not fit a batch of so many images."""


def logits_of(output: object) -> Tensor:
    """The (batch, classes) tensor in a model's answer, or an error that says what came instead."""
    output = getattr(output, "logits", output)
    if not isinstance(output, Tensor):
        raise TargetError(
            f"a class target needs a model that returns a tensor (batch, classes), this one returns "
            f"{type(output).__name__}: give target=a function from the model's output to one number per image"
        )
    if output.dim() != 2:
        raise TargetError(
            f"a class target needs an output (batch, classes), got shape {tuple(output.shape)}: "
            f"give target=a function from the output to one number per image"
        )
    return output


def choose_classes(logits: Tensor, classes: int | tuple[int, ...] | None, rows: Tensor) -> Tensor:
    """The class index of each image: the given one(s), or the predicted."""
    available = logits.shape[1]
    if classes is None:
        return logits.argmax(1)
    each = torch.tensor(classes, device=logits.device)
    chosen = each.expand(len(rows)) if each.dim() == 0 else each[rows]
    if ((chosen < 0) | (chosen >= available)).any():
        bad = int(chosen[(chosen < 0) | (chosen >= available)][0])
        raise TargetError(f"class {bad} does not exist: the model has {available} outputs, 0 to {available - 1}")
    return chosen
