"""The paper's example of a vanished gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam import figures
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class OneReluNet(Plate):
    """fig. one_relu_net: the same for every store."""

    name: ClassVar[str] = "one_relu_net"
    label: ClassVar[str] = "one_relu_net"
    needs_maps: ClassVar[bool] = False
    summary: ClassVar[str] = "f(x) = 1 − ReLU(1 − x): gradient 0, integral 1"

    def missing(self, study: Study) -> str:  # noqa: ARG002
        return ""

    def draw(self, study: Study) -> tuple[Drawn, ...]:  # noqa: ARG002
        caption = "Where the gradient is 0, its integral along the path still is the whole change."
        return (Drawn(self.label, caption, figures.one_relu_net()),)
