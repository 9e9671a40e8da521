"""The library's two verbs: explain by one method, or by many from one walk along the path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import overload

import torch
from torch import Tensor, nn

from rsi_gradcam import catalog
from rsi_gradcam.baselines import BaselineLike
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.inputs import check_images
from rsi_gradcam.layers import default_layer, names_in, names_of
from rsi_gradcam.methods.base import INPUT, Method
from rsi_gradcam.modes import evaluating, own_gradients, unwrapped
from rsi_gradcam.paths import Path
from rsi_gradcam.run import Run, Wish
from rsi_gradcam.settings import Precision, settle
from rsi_gradcam.targets import TargetLike, as_target
from rsi_gradcam.targets.base import Layer
from rsi_gradcam.watching import UNWATCHED, Watch

MethodLike = str | Method


@overload
def explain(
    model: nn.Module,
    x: Tensor,
    layer: Layer | None = None,
    method: MethodLike = ...,
    target: TargetLike = ...,
    baseline: BaselineLike = ...,
    *,
    path: Path | str | None = ...,
    steps: int | None = ...,
    tolerance: float | None = ...,
    max_passes: int | None = ...,
    precision: Precision | None = ...,
    epsilon: float | None = ...,
    batch_size: int | None = ...,
    preset: str | None = ...,
) -> Explanation: ...
@overload
def explain(
    model: nn.Module,
    x: Tensor,
    layer: list[Layer],
    method: MethodLike = ...,
    target: TargetLike = ...,
    baseline: BaselineLike = ...,
    *,
    path: Path | str | None = ...,
    steps: int | None = ...,
    tolerance: float | None = ...,
    max_passes: int | None = ...,
    precision: Precision | None = ...,
    epsilon: float | None = ...,
    batch_size: int | None = ...,
    preset: str | None = ...,
) -> list[Explanation]: ...
def explain(
    model: nn.Module,
    x: Tensor,
    layer: Layer | list[Layer] | None = None,
    method: MethodLike = "rsi_grad_cam",
    target: TargetLike = None,
    baseline: BaselineLike = None,
    *,
    path: Path | str | None = None,
    steps: int | None = None,
    tolerance: float | None = None,
    max_passes: int | None = None,
    precision: Precision | None = None,
    epsilon: float | None = None,
    batch_size: int | None = None,
    preset: str | None = None,
) -> Explanation | list[Explanation]:
    """Where the model looked: one method's map for each image of the batch `x`.

    model      any torch.nn.Module; it is left as it was
    layer      a dotted name or a module, or a list of them (then a list comes back); None: the last spatial one
    method     a name (`catalog.methods()` has them) or a configured one, as `RSIGradCAM(units="relu")`
    target     a class index, one per image, None (the predicted class), a Target, or a function of the output
    baseline   where the path starts: None is black; a name, a Baseline, or a tensor
    path       how it goes to the image: straight, or by another Path
    steps, tolerance   so many steps with the method's rule, or a bound on the heatmap's mean absolute error
               (0.01 if neither is given), with at most `max_passes` passes of the model for each image
    precision  "auto" may run the part below the earliest layer in bfloat16 where that is faster, with a tolerance
    epsilon    of the heatmap's normalisation; 0 leaves its scale out of it
    batch_size how many images the model gets at once
    preset     "paper": 50 steps, right rule, positive units, plain softmax, black, ε = 1e-8
    """
    layers: list[Layer] | None = layer if isinstance(layer, list) else (None if layer is None else [layer])
    found = explain_all(
        model,
        x,
        layers,
        [method],
        target,
        baseline,
        path=path,
        steps=steps,
        tolerance=tolerance,
        max_passes=max_passes,
        precision=precision,
        epsilon=epsilon,
        batch_size=batch_size,
        preset=preset,
    )
    if not isinstance(layer, list):
        return next(iter(found.values()))
    keys = [(method, each if isinstance(each, str) else names_in(unwrapped(model), each)[0]) for each in layer]
    return [found[key if key in found else (method, INPUT)] for key in keys]  # at the input, all have the same map


def explain_all(
    model: nn.Module,
    x: Tensor,
    layers: Sequence[Layer] | None = None,
    methods: Sequence[MethodLike] = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam"),
    target: TargetLike = None,
    baseline: BaselineLike = None,
    *,
    targets: Sequence[TargetLike] | None = None,
    path: Path | str | None = None,
    steps: int | None = None,
    tolerance: float | None = None,
    max_passes: int | None = None,
    precision: Precision | None = None,
    epsilon: float | None = None,
    batch_size: int | None = None,
    preset: str | None = None,
    forming: bool = False,
    watch: Watch = UNWATCHED,
) -> Mapping[tuple[object, ...], Explanation]:
    """Maps of every method at every layer, from one walk along the path.

    The keys are (method, layer), as they were asked for, and (method, layer, target) where `targets` are given.
    Methods that lie at the input, such as Integrated Gradients, have "input" as their layer. The rest is as
    for `explain`.

    forming    keep each map as it forms along the path, too
    watch      is told of each look at the network and of each map, and may raise to stop the work
    """
    settings = settle(
        preset,
        steps=steps,
        tolerance=tolerance,
        max_passes=max_passes,
        precision=precision,
        epsilon=epsilon,
        batch_size=batch_size,
        forming=forming,
    )
    if targets is not None and target is not None:
        raise ConfigurationError("target and targets exclude each other: give one class, or several")
    if isinstance(methods, str | Method) or not methods:
        raise ConfigurationError(f"methods must be a list of one or more, got {methods!r}")
    if targets is not None and (not isinstance(targets, Sequence | Tensor) or not len(targets)):
        raise ConfigurationError(
            f"targets must be a list of one or more, got {targets!r}: leave it out for the predicted class"
        )
    model = unwrapped(model)
    with torch.inference_mode(False):
        check_images(model, x)
        x = x.detach().clone() if x.is_inference() else x.detach()
    with evaluating(model), own_gradients():
        wanted = [default_layer(model, x)] if layers is None else one_or_more(layers)
        asked = [None] if targets is None else targets
        wish = Wish(
            names_of(wanted, model, x),
            {each: catalog.method(each, paper=settings.paper) for each in methods},
            {hashable(name): as_target(target if targets is None else name, settings.score) for name in asked},
            several=targets is not None,
        )
        return Run(model, x, wish, catalog.baseline(baseline), catalog.path(path), settings, watch).explanations()


def hashable(target: TargetLike) -> object:
    """A target as a part of a key: classes as plain numbers, several as a tuple."""
    tolist = getattr(target, "tolist", None)
    plain = tolist() if tolist else target
    return tuple(plain) if isinstance(plain, list) else plain


def one_or_more(layers: Sequence[Layer]) -> Sequence[Layer]:
    if isinstance(layers, str | nn.Module) or not len(layers):
        raise ConfigurationError(f"layers must be a list of one or more names or modules, got {layers!r}")
    return layers
