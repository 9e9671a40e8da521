"""The two things that can be moved along a path: the image, or a layer's activations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.nodes import Point
from rsi_gradcam.sweep import Group, Start, Sweep

Place = tuple[int, float]  # image of the group, α


@dataclass
class Walk(ABC):
    """One path for each image of a group."""

    sweep: Sweep
    group: Group
    half: bool = field(default=False, kw_only=True)  # may the part below the earliest layer be in bfloat16?
    spent: ClassVar[int] = 0  # passes for each image that came before the walk's own

    @abstractmethod
    def starts(self, *, half: bool = False) -> list[Point]:
        """α = 0, for each image."""

    @abstractmethod
    def at(self, places: Sequence[Place], *, half: bool = False) -> list[Point]:
        """The points at these places."""

    def ends(self, *, half: bool = False) -> list[Point]:  # noqa: ARG002 - only what moves below the layer has it
        """α = 1, for each image."""
        return [self.group.end(row) for row in range(len(self.group.x))]


@dataclass
class ImageWalk(Walk):
    """The image moves, from a baseline."""

    start: Start

    def starts(self, *, half: bool = False) -> list[Point]:
        return self.sweep.starts(self.group, self.start, half=half)

    def at(self, places: Sequence[Place], *, half: bool = False) -> list[Point]:
        return self.sweep.points(self.group, places, self.start, half=half)

    def ends(self, *, half: bool = False) -> list[Point]:
        if not half:
            return super().ends()
        return self.at([(row, 1.0) for row in range(len(self.group.x))], half=True)


@dataclass
class LayerWalk(Walk):
    """One layer's output moves, on a straight line from what it is at the baseline; the image stays."""

    spent: ClassVar[int] = 1  # where the layer stands at the baseline

    layer: str
    start: Tensor  # image channel height width

    def starts(self, *, half: bool = False) -> list[Point]:  # noqa: ARG002
        return self.at([(row, 0.0) for row in range(len(self.group.x))])

    def at(self, places: Sequence[Place], *, half: bool = False) -> list[Point]:  # noqa: ARG002
        found: list[Point] = []

        def run(part: slice) -> None:
            rows = torch.tensor([row for row, _ in places[part]], device=self.group.x.device)
            alpha = torch.tensor([a for _, a in places[part]], dtype=torch.float64)
            share = alpha.to(self.start).view(-1, 1, 1, 1)
            moved = torch.lerp(self.start[rows], self.group.A[self.layer][rows], share)  # eq. ig_at_layer_inter
            self.sweep.camera.replacement = {self.layer: moved}
            try:
                found.extend(self.sweep.see(self.group, self.group.x[rows], rows, alpha, half=False))
            finally:
                self.sweep.camera.replacement = {}

        self.sweep.batching.chunks(len(places), run)
        return found
