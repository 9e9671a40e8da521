"""Which layers of a network can carry a map, and which of them are worth one: found by one forward pass."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rsi_gradcam.capture import Traced, trace
from rsi_gradcam.errors import ModelError

HEADS = ("classifier", "fc", "head", "heads")
NO_FEATURES = ("Adaptive", "Dropout", "Identity", "Softmax")


@dataclass(frozen=True)
class SpatialLayer:
    """A layer whose output is spread over the image."""

    name: str
    kind: str
    shape: tuple[int, int, int]  # channels, height, width
    makes_sense: bool  # a link of the chain before the head, not a part of a block

    @property
    def resolution(self) -> tuple[int, int]:
        return self.shape[1:]


def spatial_layers(network: nn.Module, input_size: tuple[int, int]) -> tuple[SpatialLayer, ...]:
    """The layers with height and width above 1, in the order in which they end.

    A layer makes sense where everything passes through it: the links of a chain do; what is inside a block has
    branches beside it. If the network is no chain at all, every layer before the head makes sense.
    """
    found = [layer for layer in trace(network, blank(network, input_size)) if is_spatial(layer, input_size)]
    before_head = [layer.name for layer in found if is_before_head(layer)]
    chained = set(chain(network))
    sensible = [name for name in before_head if name in chained] or before_head
    return tuple(
        SpatialLayer(layer.name, layer.kind, (channels, height, width), layer.name in sensible)
        for layer in found
        for channels, height, width in [layer.shape]
    )


def blank(network: nn.Module, input_size: tuple[int, int]) -> Tensor:
    """A black input, where and of the kind that the network is."""
    like = next((each for each in network.parameters() if each.is_floating_point()), torch.zeros(()))
    return torch.zeros(1, 3, *input_size, device=like.device, dtype=like.dtype)


def output_of(network: nn.Module, input_size: tuple[int, int]) -> Tensor:
    """The scores (1, classes) for a blank input."""
    try:
        with torch.no_grad():
            output = network(blank(network, input_size))
    except Exception as error:  # the user's own code may raise anything
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(
            f"{type(network).__name__} does not run on a photo of {input_size[0]}×{input_size[1]} ({why}): "
            f"give the Preprocess that makes its inputs"
        ) from error
    if not isinstance(output, Tensor) or output.dim() != 2:
        got = tuple(output.shape) if isinstance(output, Tensor) else type(output).__name__
        raise ModelError(
            f"{type(network).__name__} gives {got}, a classifier gives one score for each class: "
            f"wrap it in a module that returns (batch, classes)"
        )
    return output


def is_spatial(layer: Traced, input_size: tuple[int, int]) -> bool:
    """Channels first: height and width relate as the input's do."""
    if not layer.carries_a_map:
        return False
    _, height, width = layer.shape
    return abs(height * input_size[1] - width * input_size[0]) <= max(input_size)


def is_before_head(layer: Traced) -> bool:
    return layer.name.split(".")[0] not in HEADS and not any(kind in layer.kind for kind in NO_FEATURES)


def chain(network: nn.Module, prefix: str = "") -> list[str]:
    """Names of the network's parts, and of the parts of those that run one after the other."""
    names = []
    for name, part in network.named_children():
        names.append(prefix + name)
        if is_chain(part):
            names += chain(part, f"{prefix}{name}.")
    return names


def is_chain(part: nn.Module) -> bool:
    """A list, or an nn.Sequential that has not been given another way of running."""
    plain = isinstance(part, nn.Sequential) and type(part).forward is nn.Sequential.forward
    return plain or isinstance(part, nn.ModuleList)
