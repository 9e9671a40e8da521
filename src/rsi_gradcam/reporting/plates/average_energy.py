"""How much of the heatmap falls into the box, against how sure the network was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam.reporting.plates.against import Panel, against_panels
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class AverageEnergy(Plate):
    """fig. average-energy: a panel for each layer."""

    name: ClassVar[str] = "average_energy"
    label: ClassVar[str] = "average-energy"
    summary: ClassVar[str] = "energy in the box against p, at each layer"

    def missing(self, study: Study) -> str:
        return study.lacks("energy") or study.without_boxes("energy")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        energy = study.against_p(study.column("energy"))
        panels = [
            Panel(study.layer_title(layer), "energy in the box, higher is better", layer, energy)
            for layer in study.layers
        ]
        caption = "How much of each heatmap's light falls into the box."
        return (Drawn(self.label, caption, against_panels(study, "Average energy in the box", panels)),)
