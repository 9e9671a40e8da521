"""How strong the maps are before normalisation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.plates.boxes import box_plots
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class HeatmapIntRaw(Plate):
    """fig. heatmap_int_raw: where the mean is nearly 0, the normalisation divides by nearly nothing."""

    name: ClassVar[str] = "heatmap_int_raw"
    label: ClassVar[str] = "heatmap_int_raw"
    summary: ClassVar[str] = "mean value of each raw map, by method and layer"

    def missing(self, study: Study) -> str:
        return study.lacks("intensity")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        column = study.column("intensity", "raw")
        figure = box_plots(study, column, "Mean of the raw map", "mean of the raw map")
        return (Drawn(self.label, "How strong each method's maps are before they are normalised.", figure),)
