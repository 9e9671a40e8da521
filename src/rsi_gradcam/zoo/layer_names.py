"""Friendly names for the layers where a map makes sense, earliest first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from torch import nn

from rsi_gradcam.errors import LayerError
from rsi_gradcam.zoo.tracing import SpatialLayer

# A module's path, what it is called, and the number of the first.
FAMILIES = (
    (r"layer(\d+)", "stage{}", 0),  # ResNet and its kin
    (r"trunk_output\.block(\d+)", "stage{}", 0),  # RegNet in torchvision
    (r"s(\d+)", "stage{}", 0),  # RegNet in timm
    (r"(?:blocks|stages)\.(\d+)", "stage{}", 1),  # EfficientNet, ConvNeXt in timm
    (r"features\.(denseblock\d+)", "{}", None),  # DenseNet
)


def name_layers(network: nn.Module, layers: Sequence[SpatialLayer]) -> Mapping[str, str]:
    """Friendly name → the module's path. The last one is the last before the head.

    VGG's pools go by the paper's names, stages by their number. Any other network gets the last layer of each
    resolution, by its own path.
    """
    sensible = [layer for layer in layers if layer.makes_sense]
    if not sensible:
        raise LayerError(
            f"{type(network).__name__} has no layer with a spatial output (batch, channels, height, width), so "
            f"no map can be made: give a convolutional network"
        )
    named = vgg_pools(network, sensible) or family(sensible) or stage_ends(sensible)
    last = [layer.name for layer in sensible if is_one_stage(layer, sensible)][-1]
    is_named = any(f"{path}.".startswith(f"{last}.") for path in named.values())
    return MappingProxyType(named if is_named else named | {last: last})


def vgg_pools(network: nn.Module, layers: Sequence[SpatialLayer]) -> dict[str, str]:
    """block1_pool … block5_pool, whatever their places."""
    if type(network).__name__ != "VGG":
        return {}
    pools = [layer.name for layer in layers if layer.kind == "MaxPool2d"]
    return {f"block{number}_pool": name for number, name in enumerate(pools, start=1)}


def family(layers: Sequence[SpatialLayer]) -> dict[str, str]:
    found = {friendly: layer.name for layer in layers if (friendly := family_name(layer.name))}
    return found if len(found) > 1 else {}


def family_name(path: str) -> str | None:
    for pattern, name, first in FAMILIES:
        if found := re.fullmatch(pattern, path):
            return name.format(found[1] if first is None else int(found[1]) + first)
    return None


def stage_ends(layers: Sequence[SpatialLayer]) -> dict[str, str]:
    """The last layer of each resolution; of those that end together, the outermost that is one stage only."""
    ends = {layer.resolution: layer.name for layer in layers if is_one_stage(layer, layers)}
    return {name: name for name in ends.values()}


def is_one_stage(layer: SpatialLayer, layers: Sequence[SpatialLayer]) -> bool:
    inside = [other for other in layers if other.name.startswith(f"{layer.name}.")]
    return all(other.resolution == layer.resolution for other in inside)
