"""Looking into a network while it runs: the only place that registers hooks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import LayerError, did_you_mean
from rsi_gradcam.inputs import NEVER, alike, answer, is_channels_last
from rsi_gradcam.methods.base import IMAGE
from rsi_gradcam.modes import evaluating, own_gradients
from rsi_gradcam.targets.base import BoundTarget


@dataclass(frozen=True)
class View:
    """One target at some points of some paths."""

    y: Tensor  # point
    G: Mapping[str, Tensor]  # site -> point channel height width


@dataclass(frozen=True)
class Look:
    """What one forward pass showed."""

    output: object
    A: Mapping[str, Tensor]  # layer -> point channel height width


@dataclass
class Camera:
    """Runs the model and keeps the activations of `layers`, ready for gradients from the earliest one upward.

    Below the earliest layer nothing is recorded. Its output becomes a leaf, and so does that of a layer in a
    parallel branch. The network goes on with a clone, since what follows may work in place.
    """

    model: nn.Module
    layers: tuple[str, ...]
    channels_last_from: int = NEVER  # the batch size from which the channels are put innermost
    replacement: Mapping[str, Tensor] = field(default_factory=dict)
    _seen: dict[str, Tensor] = field(default_factory=dict)
    _images: Tensor = field(default_factory=lambda: torch.empty(0, 0, 1, 1))  # that are looked at
    _looking: bool = False
    _half: bool = False

    @contextmanager
    def open(self) -> Iterator[Camera]:
        """Hooks on the layers, for this thread alone."""
        owner = threading.get_ident()
        handles = [
            self.model.get_submodule(name).register_forward_hook(self.watcher(name, owner))
            for name in self.layers
            if name != IMAGE
        ]
        try:
            yield self
        finally:
            for handle in handles:
                handle.remove()

    def watcher(self, name: str, owner: int) -> Callable[[nn.Module, object, object], Tensor | None]:
        def watch(module: nn.Module, _inputs: object, output: object) -> Tensor | None:
            if not self._looking or threading.get_ident() != owner:
                return None
            return self.keep(name, module, output)

        return watch

    def keep(self, name: str, module: nn.Module, output: object) -> Tensor:
        check_output(name, module, output, size_of(self._images), again=name in self._seen)
        assert isinstance(output, Tensor)
        if self._half:
            torch.set_autocast_enabled(output.device.type, False)  # from here up, full precision
            output = output.float()
        if name in self.replacement:
            output = self.replacement[name].to(output).expand_as(output)
        if output.requires_grad:
            output = output.clone()  # its own place in the graph, also if the module hands on its very input
        else:
            output = output.detach().clone().requires_grad_()
            torch.set_grad_enabled(True)
        self._seen[name] = output
        return output.clone()

    @contextmanager
    def look(self, images: Tensor, *, half: bool = False) -> Iterator[Look]:
        """One forward pass. Gradients can be taken of what it shows for as long as the context lasts."""
        layout = torch.channels_last if len(images) >= self.channels_last_from else torch.preserve_format
        images = images.detach().clone(memory_format=layout)  # the model may work in place on its input
        self._seen, self._images = {}, images
        self._looking, self._half = True, half
        try:
            with torch.no_grad():
                if IMAGE in self.layers:
                    self._seen[IMAGE] = images.requires_grad_()
                    torch.set_grad_enabled(True)
                    images = images.clone()
                output = self.shown(images)
                self._looking = False
                missed = [name for name in self.layers if name not in self._seen]
                if missed:
                    raise LayerError(
                        f"layer {missed[0]!r} does not run when the model does, so it cannot carry a map: "
                        f"{others(self.model, images)}"
                    )
                yield Look(output, self._seen)
        finally:
            self._looking = self._half = False
            self._seen, self._images = {}, self._images.detach()[:1]

    def shown(self, images: Tensor) -> object:
        """The model's answer. A layer that was refused is told of with others that would do."""
        lower = torch.autocast(images.device.type, torch.bfloat16) if self._half else nullcontext()
        try:
            with lower:
                return answer(self.model, images)
        except LayerError as error:
            self._looking = False
            raise LayerError(f"{error}; {others(self.model, images.detach())}") from None

    def gradients(self, look: Look, target: BoundTarget, rows: Tensor, sites: Sequence[str], *, last: bool) -> View:
        """y and ∂y/∂A at the sites. `last` frees the graph."""
        with torch.enable_grad():
            pull = target.pull(look.output, look.A, rows)
        if not sites:
            return View(pull.y, {})
        if not pull.root.requires_grad:
            raise self.unfed(sites[0])
        scale = largest(pull.cotangent)
        found = torch.autograd.grad(
            pull.root,
            [look.A[site] for site in sites],
            (pull.cotangent / scale).to(pull.root.dtype),
            retain_graph=not last,
            allow_unused=True,
        )
        for site, gradient in zip(sites, found, strict=True):
            if gradient is None:
                raise self.unfed(site)
        return View(pull.y, {s: shaped(scale, g) * g for s, g in zip(sites, found, strict=True)})

    def unfed(self, site: str) -> LayerError:
        return LayerError(
            f"layer {site!r} does not feed the target: its gradient does not exist. Take a layer on the way from the "
            f"image to what is explained, and see that the model does not detach or switch gradients off inside; "
            f"{others(self.model, self._images)}"
        )


def largest(cotangent: Tensor) -> Tensor:
    """The greatest |v| of each row, as a power of two: what is taken out on the way back and put in again after,

    so that a tiny gradient is not lost to underflow inside the network.
    """
    peak = cotangent.detach().flatten(1).abs().amax(1) if cotangent.dim() > 1 else cotangent.detach().abs()
    exponent = torch.frexp(peak).exponent
    return shaped(torch.where(peak > 0, torch.ldexp(torch.ones_like(peak), exponent), 1.0), cotangent)


def shaped(per_row: Tensor, like: Tensor) -> Tensor:
    """One value for each row, ready to multiply with `like`."""
    return per_row.reshape(-1, *[1] * (like.dim() - 1))


def size_of(images: Tensor) -> tuple[int, int]:
    return images.shape[-2], images.shape[-1]


def check_output(name: str, module: nn.Module, output: object, size: tuple[int, int], *, again: bool) -> None:
    kind = type(module).__name__
    if again:
        raise LayerError(
            f"layer {name!r} ({kind}) runs more than once in one pass, so its activations are not one thing: "
            f"take the block around it, or a layer before or after it"
        )
    if not isinstance(output, Tensor):
        raise LayerError(
            f"layer {name!r} ({kind}) gives {type(output).__name__}, not one tensor: take a layer inside"
        )
    if output.dim() != 4:
        raise LayerError(
            f"layer {name!r} ({kind}) has no spatial output: shape {tuple(output.shape)}, a map needs "
            f"(batch, channels, height, width): take a layer before the flatten"
        )
    if is_channels_last(tuple(output.shape[1:]), size):
        raise LayerError(
            f"layer {name!r} ({kind}) has its channels last: shape {tuple(output.shape)}, a map needs "
            f"(batch, channels, height, width): take a layer whose output has them first"
        )


@dataclass(frozen=True)
class Traced:
    """A module of the network, as one pass found it."""

    name: str
    kind: str
    shape: tuple[int, ...]  # of its first output, without the batch
    calls: int
    size: tuple[int, int]  # of the image

    @property
    def carries_a_map(self) -> bool:
        spatial = self.calls == 1 and len(self.shape) == 3 and self.shape[1] * self.shape[2] > 1
        return spatial and not is_channels_last(self.shape, self.size)

    @property
    def lies_over_the_image(self) -> bool:
        """Has the map the image's proportions? Tokens by features, as in attention, have not."""
        return self.carries_a_map and alike((self.shape[1], self.shape[2]), self.size)


def trace(model: nn.Module, x: Tensor) -> tuple[Traced, ...]:
    """Every module that runs on the way from `x` to the output, in that order."""
    shapes: dict[str, tuple[int, ...]] = {}
    calls: dict[str, int] = {}
    kinds: dict[str, str] = {}
    owner = threading.get_ident()

    def watcher(name: str) -> Callable[[nn.Module, object, object], None]:
        def watch(module: nn.Module, _inputs: object, output: object) -> None:
            if threading.get_ident() == owner:
                calls[name] = calls.get(name, 0) + 1
                kinds[name] = type(module).__name__
                shapes.setdefault(name, tuple(output.shape[1:]) if isinstance(output, Tensor) else ())

        return watch

    handles = [module.register_forward_hook(watcher(name)) for name, module in model.named_modules() if name]
    try:
        with evaluating(model), own_gradients():
            answer(model, x[:1])
    finally:
        for handle in handles:
            handle.remove()
    return tuple(Traced(name, kinds[name], shapes[name], calls[name], size_of(x)) for name in shapes)


def others(model: nn.Module, x: Tensor, wanted: str = "") -> str:
    """The end of an error line: layers of this model that can carry a map."""
    good = [traced.name for traced in trace(model, x) if traced.lies_over_the_image]
    return did_you_mean(wanted, good) if wanted else f"layers that can: {', '.join(good[-5:])}"
