"""Layers by name or by module, and whether a layer is a cut of the network."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from rsi_gradcam.capture import Camera, others, trace
from rsi_gradcam.errors import LayerError
from rsi_gradcam.methods.base import IMAGE, INPUT
from rsi_gradcam.modes import versions
from rsi_gradcam.targets.base import Layer, Target

AGREE = 1e-3  # relative: how near two outputs must be to count as the same

_cuts: WeakKeyDictionary[nn.Module, dict[tuple[str, Hashable], tuple[int, bool]]] = WeakKeyDictionary()


def name_of(layer: Layer, model: nn.Module, x: Tensor) -> str:
    """The dotted name of a layer of this model."""
    if isinstance(layer, nn.Module):
        names = names_in(model, layer)
        if names:
            return names[0]
        raise LayerError(
            f"the layer given ({type(layer).__name__}) is no part of this model: give one of its modules"
        )
    if not isinstance(layer, str):
        raise LayerError(f"a layer is a dotted name or a module, got {layer!r}")
    modules = dict(model.named_modules(remove_duplicate=False))
    inside = layer.removeprefix("module.").removeprefix("_orig_mod.")  # as a wrapper of the model calls it
    module = modules.get(layer, modules.get(inside))
    if module is None and layer == INPUT:
        return IMAGE
    if module is None or module is model:
        raise LayerError(f"the model has no layer {layer!r}: {others(model, x, layer)}")
    return names_in(model, module)[0]


def names_in(model: nn.Module, module: nn.Module) -> list[str]:
    """Every dotted name that a module has in the model, but for the model itself."""
    return [str(name) for name, each in model.named_modules(remove_duplicate=False) if each is module and name]


def default_layer(model: nn.Module, x: Tensor) -> str:
    """The last layer with a spatial output, seen from the image: where CAMs are usually drawn."""
    spatial = [traced for traced in trace(model, x) if traced.carries_a_map]
    good = [traced for traced in spatial if traced.lies_over_the_image] or spatial
    if not good:
        raise LayerError(
            "no layer of this model has a spatial output (batch, channels, height, width): no map can lie there"
        )
    return good[-1].name


def is_cut(model: nn.Module, layer: str, x: Tensor, target: Target) -> bool:
    """Does every way from the image to what is explained pass through the layer?

    It does if another image, with this layer's output replaced by that of `x`, has the output of `x`.
    Found once for a model's weights, a layer and where the target starts from, by two passes of the model.
    """
    if layer == IMAGE:
        return True
    reads = target.reads()
    if reads is None:
        return passes_all(model, layer, x[:1], target)
    known, key, version = _cuts.setdefault(model, {}), (layer, reads), versions(model)
    if key not in known or known[key][0] != version:
        known[key] = version, passes_all(model, layer, x[:1], target)
    return known[key][1]


def passes_all(model: nn.Module, layer: str, x: Tensor, target: Target) -> bool:
    names = tuple(dict.fromkeys((layer, *target.layers)))
    row = torch.zeros(1, dtype=torch.long, device=x.device)
    with Camera(model, names).open() as camera:
        with camera.look(x) as look:
            bound = target.bind(look.output, look.A, row)
            wanted, A = bound.pull(look.output, look.A, row).root.detach().clone(), look.A[layer].detach()
        camera.replacement = {layer: A}
        with camera.look(other_than(x)) as look:
            found = bound.pull(look.output, look.A, row).root.detach()
    return bool((wanted - found).abs().max() <= AGREE * wanted.abs().max())


def other_than(x: Tensor) -> Tensor:
    """An image of noise, of the same order of size."""
    noise = torch.randn(x.shape[1:], generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return noise.to(x).expand_as(x) * x.abs().max().clamp(min=1.0)


def names_of(layers: Sequence[Layer], model: nn.Module, x: Tensor) -> dict[str, str]:
    """The dotted name of each layer, by the name it was asked for with."""
    names = [name_of(layer, model, x) for layer in layers]
    return {layer if isinstance(layer, str) else name: name for layer, name in zip(layers, names, strict=True)}
