"""What a network shows for one image: a full backward on a copy of it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

Score = Callable[[Tensor], Tensor]  # the output (1, classes) -> y
Grid = list[list[float]]
Volume = list[Grid]


@dataclass(frozen=True)
class Seen:
    """Activations A[k][i][j], their gradients G[k][i][j], and the score."""

    A: Volume
    G: Volume
    y: float


def copy_of(model: nn.Module) -> nn.Module:
    """In float64 and eval mode, every parameter with its gradient, nothing in place."""
    copy = deepcopy(model).double().eval().requires_grad_()
    for module in copy.modules():
        if hasattr(module, "inplace"):
            module.inplace = False
    return copy


def probability(index: int) -> Score:
    return lambda output: torch.softmax(output, 1)[0, index]


def logit(index: int) -> Score:
    return lambda output: output[0, index]


def see(model: nn.Module, image: Tensor, layer: str, score: Score) -> Seen:
    """One image (channel, height, width) through a copy of the model."""
    copy, kept = copy_of(model), []

    def keep(_module: nn.Module, _inputs: object, output: Tensor) -> None:
        output.retain_grad()
        kept.append(output)

    x = image.detach().double()[None].clone().requires_grad_()
    if layer == "input":
        kept.append(x)
    else:
        copy.get_submodule(layer).register_forward_hook(keep)
    y = score(copy(x))
    y.backward()
    (A,) = kept
    return Seen(A.detach()[0].tolist(), A.grad[0].tolist(), y.item())


def see_above(model: nn.Module, image: Tensor, layer: str, A: Tensor, score: Score) -> Seen:
    """The same with the layer's output replaced by A (channel, height, width)."""
    copy = copy_of(model)
    leaf = A.detach().double()[None].clone().requires_grad_()
    copy.get_submodule(layer).register_forward_hook(lambda _module, _inputs, _output: leaf)
    y = score(copy(image.detach().double()[None]))
    y.backward()
    return Seen(leaf.detach()[0].tolist(), leaf.grad[0].tolist(), y.item())


def see_through_unit(
    model: nn.Module, image: Tensor, layer: str, unit: tuple[int, int, int], score: Score
) -> tuple[Volume, float]:
    """∂a/∂x for every input value, and ∂y/∂a, of one unit a: two copies, two backwards."""
    k, i, j = unit
    upper = see(model, image, layer, score)
    copy, kept = copy_of(model), []
    copy.get_submodule(layer).register_forward_hook(lambda _module, _inputs, output: kept.append(output))
    x = image.detach().double()[None].clone().requires_grad_()
    copy(x)
    kept[0][0, k, i, j].backward()
    return x.grad[0].tolist(), upper.G[k][i][j]


def units_of(volume: Volume) -> list[tuple[int, int, int]]:
    return [(k, i, j) for k in range(len(volume)) for i in range(len(volume[0])) for j in range(len(volume[0][0]))]


def empty_map(volume: Volume) -> Grid:
    return [[0.0] * len(volume[0][0]) for _ in volume[0]]


def empty_volume(volume: Volume) -> Volume:
    return [empty_map(volume) for _ in volume]
