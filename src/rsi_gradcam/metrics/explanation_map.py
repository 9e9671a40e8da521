"""The explanation map: the photo as far as the heatmap shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from rsi_gradcam.metrics.base import Probe, Seen
from rsi_gradcam.metrics.choice import check_choice
from rsi_gradcam.metrics.fill import Fill, filling

Space = Literal["pixel", "normalised"]


def shown(L: Tensor, I: Tensor) -> Tensor:  # noqa: E741
    """E = L ⊙ I, for each colour."""
    return L * I  # section Quantitative Evaluations Without Ground Truth


@dataclass(frozen=True)
class ExplanationMap(Probe):
    """E as the network expects it.

    `space` says what L multiplies: the pixels, which are normalised afterwards, so that what is hidden turns
    black; or the normalised input, so that it turns into the mean colour of the network's training. With a
    `fill` E = L ⊙ I + (1 − L) ⊙ fill, and the space is no matter.
    """

    space: Space = "pixel"
    fill: Fill | None = None

    def __post_init__(self) -> None:
        check_choice("space", self.space, Space)
        if self.fill is not None:
            check_choice("fill", self.fill, Fill)

    def inputs(self, seen: Seen) -> Tensor:
        L, normalise = seen.heatmap, seen.preprocess.normalise
        if self.fill is not None:
            E = shown(L, normalise(seen.pixels)) + shown(1 - L, filling(seen, self.fill))
        elif self.space == "pixel":
            E = normalise(shown(L, seen.pixels))
        else:
            E = shown(L, normalise(seen.pixels))
        return E[None]
