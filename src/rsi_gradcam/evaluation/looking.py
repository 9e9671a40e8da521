"""The network as the evaluation uses it: one look at a photo, many answers to probes, all its maps."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import torch
from torch import Tensor, nn

from rsi_gradcam import catalog
from rsi_gradcam.capture import Camera
from rsi_gradcam.errors import ModelError
from rsi_gradcam.evaluation.protocol import Protocol
from rsi_gradcam.explaining import explain_all
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.inputs import channels_last_from
from rsi_gradcam.methods.base import Method, PathMethod
from rsi_gradcam.modes import evaluating, own_gradients
from rsi_gradcam.sweep import Batching
from rsi_gradcam.targets.base import logits_of
from rsi_gradcam.zoo import Network

Place: TypeAlias = tuple[str, str]  # name of method or control, layer
AT_ONCE = 2  # probes need no gradients, so twice as many go at once


@dataclass(frozen=True, eq=False)
class Eye:
    """A network's module with what the protocol asks of it. The module may be another of the same shape."""

    module: nn.Module
    network: Network
    layers: tuple[str, ...]
    protocol: Protocol

    @cached_property
    def like(self) -> Tensor:
        """An image of noise in the network's own device and type, the same for every photo, engine and machine."""
        weight = next(self.module.parameters(), torch.empty(0))
        pixels = torch.rand((3, *self.network.preprocess.size), generator=torch.Generator().manual_seed(0))
        return self.network.preprocess.normalise(pixels)[None].to(weight.device, weight.dtype)

    @cached_property
    def home(self) -> torch.device:
        """Where maps are measured: beside the network, unless there is no float64 there."""
        return torch.device("cpu") if self.like.device.type == "mps" else self.like.device

    def input(self, pixels: Tensor) -> Tensor:
        """(1, 3, H, W), as the network expects it."""
        return self.network.preprocess.normalise(pixels)[None].to(self.like)

    def look(self, pixels: Tensor) -> tuple[Tensor, Mapping[str, Tensor]]:
        """The logits (classes,) and each layer's activations (channels, h, w)."""
        camera, x = self.camera, self.input(pixels)
        with evaluating(self.module), own_gradients(), camera.open(), camera.look(x) as look:
            logits = logits_of(look.output).detach()[0].to(self.home)
            activations = {name: A.detach()[0] for name, A in look.A.items()}
        if not torch.isfinite(logits).all():
            raise ModelError("the network's answer has values that are nan or infinite")
        return logits, activations

    @property
    def camera(self) -> Camera:
        return Camera(self.module, self.layers, channels_last_from(self.module, self.like))

    @torch.inference_mode()
    def answers(self, inputs: Iterable[Tensor]) -> list[Tensor]:
        """The logits (n, classes) of each of many inputs (n, 3, H, W), asked in batches across them."""
        counts: list[int] = []

        def rows() -> Iterator[Tensor]:
            for each in inputs:
                counts.append(len(each))
                yield from torch.split(each, 1)

        size, one_by_one = AT_ONCE * Batching.fitting(self.like, None).size, rows()
        found = []
        with evaluating(self.module):
            while batch := list(itertools.islice(one_by_one, size)):
                found.append(logits_of(self.module(self.laid_out(torch.cat(batch)))))
        return list(torch.split(torch.cat(found).to(self.home), counts)) if found else []

    def laid_out(self, batch: Tensor) -> Tensor:
        """In the network's own device and type, and in the layout in which it is fastest."""
        inner = len(batch) >= channels_last_from(self.module, self.like)
        return batch.to(self.like).contiguous(memory_format=torch.channels_last if inner else torch.contiguous_format)

    def maps(
        self, pixels: Tensor, category: int, methods: Mapping[str, Method] | None = None, layers: tuple[str, ...] = ()
    ) -> Mapping[Place, Explanation]:
        """Every method's map at every layer, from one walk along this photo's path."""
        methods, settings = methods or self.protocol.methods, self.protocol.settings
        names = {method: name for name, method in methods.items()}
        found = explain_all(
            self.module,
            self.input(pixels),
            list(layers or self.layers),
            list(names),
            self.protocol.target(category),
            self.network.baseline(self.protocol.baseline),
            path=catalog.path(self.protocol.path),
            steps=settings.steps,
            tolerance=settings.tolerance,
            max_passes=settings.max_passes,
            precision=settings.precision,
            epsilon=settings.epsilon,
            preset=self.protocol.preset,
        )
        return {(names[key[0]], str(key[1])): each for key, each in found.items() if isinstance(key[0], Method)}

    def settle(self) -> None:
        """What the library finds out once for a network (cuts, half precision) is found with the image of noise,

        so that it does not depend on which photo comes first. Names that the network does not have are errors here.
        """
        settings = self.protocol.settings
        short = {"steps": 1} if settings.steps else {"tolerance": settings.tolerance, "max_passes": 8}
        on_path = [method for method in self.protocol.methods.values() if isinstance(method, PathMethod)]
        explain_all(
            self.module,
            self.like,
            list(self.layers),
            on_path or ["grad_cam"],
            self.protocol.target(0),
            self.network.baseline(self.protocol.baseline),
            path=catalog.path(self.protocol.path),
            precision=settings.precision,
            preset=self.protocol.preset,
            **short,
        )
