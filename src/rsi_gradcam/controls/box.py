"""The box itself: the answer, as a bound to what a map can score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.controls.base import Control, View
from rsi_gradcam.errors import ConfigurationError


@dataclass(frozen=True)
class Box(Control):
    """1 inside the boxes, 0 outside. It is told what the others are asked, so it is a bound and no rival."""

    name: ClassVar[str] = "box"
    summary: ClassVar[str] = "the box itself: a bound, no rival"
    title: ClassVar[str] = "the box itself"
    boxed: ClassVar[bool] = True

    def map(self, view: View) -> Tensor:
        if view.inside is None:
            raise ConfigurationError(
                "the control box needs a photo with boxes, got one without: leave the control out"
            )
        return view.inside.to(view.pixels.dtype)

    def heatmap(self, raw: Tensor, size: tuple[int, int], epsilon: float = 0.0) -> Tensor:  # noqa: ARG002
        """As it is: a box over the whole photo has no range to be normalised."""
        return raw
