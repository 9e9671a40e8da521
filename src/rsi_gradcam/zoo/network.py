"""A network adopted for explanation: with its preprocessing, its classes' names and its layers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from torch import nn

from rsi_gradcam import catalog
from rsi_gradcam.baselines import Baseline, BaselineLike
from rsi_gradcam.baselines.base import PixelBaseline
from rsi_gradcam.errors import LayerError, ModelError, did_you_mean
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.categories import find_category
from rsi_gradcam.zoo.layer_names import name_layers
from rsi_gradcam.zoo.tracing import SpatialLayer, output_of, spatial_layers


@dataclass(frozen=True, eq=False)
class Network:
    """Whatever a photo needs to be classified and explained. `adopt` makes one."""

    name: str
    network: nn.Module  # in eval mode
    preprocess: Preprocess
    categories: tuple[str, ...]
    layers: Mapping[str, str]  # friendly name → path of the module, where a map makes sense, earliest first
    default_layer: str  # path of the last of them
    weights: str  # how they came

    @cached_property
    def weights_hash(self) -> str:
        """SHA-256 over every weight and its name: the same weights give the same, however they came."""
        digest = hashlib.sha256()
        for name, value in sorted(self.network.state_dict().items()):
            digest.update(name.encode())
            digest.update(value.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
        return digest.hexdigest()

    def path_of(self, layer: str) -> str:
        """The module's path of a layer given by its friendly name or already by its path."""
        if layer in self.layers:
            return self.layers[layer]
        paths = [path for path, _ in self.network.named_modules() if path]
        if layer not in paths:
            raise LayerError(f"{self.name} has no layer {layer!r}: {did_you_mean(layer, [*self.layers, *paths])}")
        return layer

    def index_of(self, category: str | int) -> int:
        """The index of a class by a name as a person would say it."""
        return find_category(self.categories, category)

    def baseline(self, which: BaselineLike) -> Baseline:
        """A baseline of this network's pixels, where it is made of pixels: black is black before normalisation."""
        found = catalog.baseline(which)
        if isinstance(found, PixelBaseline) and found.mean is None:
            return replace(found, mean=self.preprocess.mean, std=self.preprocess.std)
        return found

    def spatial_layers(self) -> tuple[SpatialLayer, ...]:
        """Every layer that can carry a map, for a listing."""
        return spatial_layers(self.network, self.preprocess.size)

    def __repr__(self) -> str:
        return f"Network({self.name!r}, {len(self.categories)} classes, weights: {self.weights})"


def adopt(
    network: nn.Module,
    preprocess: Preprocess | None = None,
    categories: Sequence[str] | None = None,
    *,
    name: str = "",
    weights: str = "as given",
) -> Network:
    """Any classifier of photos as a Network. It is put into eval mode.

    Without `preprocess` it is ImageNet's usual one, without `categories` they are "class 0", "class 1", ….
    """
    if not isinstance(network, nn.Module):
        raise ModelError(f"a network is a torch.nn.Module, got {type(network).__name__}: give the module itself")
    network.eval()
    name = name or type(network).__name__
    preprocess = preprocess or Preprocess.imagenet()
    classes = output_of(network, preprocess.size).shape[1]
    names = tuple(categories) if categories is not None else tuple(f"class {index}" for index in range(classes))
    if len(names) != classes:
        raise ModelError(f"{name} scores {classes} classes, but {len(names)} names came with it: give one for each")
    layers = name_layers(network, spatial_layers(network, preprocess.size))
    return Network(name, network, preprocess, names, layers, list(layers.values())[-1], weights)
