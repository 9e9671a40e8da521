"""How bright the maps are after normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.plates.boxes import box_plots
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class HeatmapIntNormal(Plate):
    """fig. heatmap_int_normal: near 0 there is nothing to be seen, near 1 all of the photo is."""

    name: ClassVar[str] = "heatmap_int_normal"
    label: ClassVar[str] = "heatmap_int_normal"
    summary: ClassVar[str] = "mean value of each normalised map, by method and layer"

    def missing(self, study: Study) -> str:
        return study.lacks("intensity")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        column = study.column("intensity", "normalised")
        epsilon = study.epsilon_of("intensity")
        figure = box_plots(
            study, column, f"Mean of the heatmap, normalised with ε = {epsilon:g}", "mean of the heatmap, 0 to 1"
        )
        return (Drawn(self.label, "How bright each method's heatmaps are once they are normalised.", figure),)
