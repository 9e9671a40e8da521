"""One unit of a layer, or a class through that unit: the targets of neuron attribution."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from operator import index

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import TargetError
from rsi_gradcam.targets.base import Activations, BoundTarget, Find, Layer, Pull, Target

Index = tuple[int, int, int]


def at(layer: Layer) -> str:
    """The dotted name of a layer that was located in its model."""
    if isinstance(layer, nn.Module):
        raise TargetError(f"the unit's layer ({type(layer).__name__}) has not been looked for in a model yet")
    return layer


def as_unit(unit: object) -> Index:
    """(channel, row, column), from whatever holds three whole numbers."""
    given = tuple(unit) if isinstance(unit, Iterable) else (unit,)
    if len(given) != 3 or not all(hasattr(each, "__index__") for each in given):
        raise TargetError(f"a unit is (channel, row, column), three whole numbers, got {unit!r}")
    k, i, j = (index(each) for each in given)
    return k, i, j


def check_unit(unit: Index, A: Tensor, layer: str) -> None:
    shape = tuple(A.shape[1:])
    if any(not 0 <= i < n for i, n in zip(unit, shape, strict=True)):
        raise TargetError(f"layer {layer!r} has no unit {unit}: it has (channels, height, width) = {shape}")


@dataclass(frozen=True)
class Unit(Target, BoundTarget):
    """y = A^k_ij, the activation of one unit (channel, row, column) of a layer."""

    layer: Layer
    unit: Index

    def __post_init__(self) -> None:
        object.__setattr__(self, "unit", as_unit(self.unit))

    @property
    def layers(self) -> tuple[str, ...]:  # type: ignore[override]
        return (at(self.layer),)

    def located(self, find: Find) -> Unit:
        return replace(self, layer=find(self.layer))

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:  # noqa: ARG002
        check_unit(self.unit, activations[at(self.layer)], at(self.layer))
        return self

    def pull(self, output: object, activations: Activations, rows: Tensor) -> Pull:  # noqa: ARG002
        A = activations[at(self.layer)]
        k, i, j = self.unit
        y = A[:, k, i, j]
        return Pull(y.detach(), y, torch.ones_like(y))

    def key(self, row: int) -> Hashable:  # noqa: ARG002 - the same unit for all
        return ()


@dataclass(frozen=True)
class ThroughUnit(Target):
    """dy through one unit of a layer alone: dy/dA^k_ij · dA^k_ij (neuron conductance)."""

    of: Target
    layer: str
    unit: Index

    @property
    def layers(self) -> tuple[str, ...]:  # type: ignore[override]
        return (self.layer, *self.of.layers)

    def located(self, find: Find) -> ThroughUnit:
        return replace(self, of=self.of.located(find), layer=find(self.layer))

    def reads(self) -> Hashable | None:
        of = self.of.reads()
        return None if of is None else (self.layer, self.unit, of)

    def check(self, count: int) -> None:
        self.of.check(count)

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:
        check_unit(self.unit, activations[self.layer], self.layer)
        return BoundThroughUnit(self, self.of.bind(output, activations, rows))


@dataclass(frozen=True, eq=False)
class BoundThroughUnit(BoundTarget):
    target: ThroughUnit
    of: BoundTarget
    conserves = False  # it is one unit's share of the change, not the change

    def pull(self, output: object, activations: Activations, rows: Tensor) -> Pull:
        k, i, j = self.target.unit
        whole = self.of.pull(output, activations, rows)
        A = activations[self.target.layer]
        (G,) = torch.autograd.grad(whole.root, A, whole.cotangent.to(whole.root.dtype), retain_graph=True)
        return Pull(whole.y, A[:, k, i, j], G[:, k, i, j])

    def key(self, row: int) -> Hashable:
        return self.of.key(row)

    def labels(self) -> tuple[int | None, ...]:
        return self.of.labels()
