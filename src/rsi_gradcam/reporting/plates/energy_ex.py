"""What the measure energy adds up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, median
from rsi_gradcam.reporting.pictures import energy_in_box, heatmap_of, photo_of
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class EnergyEx(PhotoPlate):
    """fig. energy_ex: heatmaps with the box, by method and layer."""

    name: ClassVar[str] = "energy_ex"
    label: ClassVar[str] = "energy_ex"
    summary: ClassVar[str] = "heatmaps with the box and the energy inside it, by method and layer"
    boxed: ClassVar[bool] = True
    caption: ClassVar[str] = "How much of each heatmap's light falls into the box."

    def pick(self, study: Study) -> Picked:
        return median(study)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        titles = list(dict.fromkeys(each.title for each in study.methods))
        cells = {(0, 0): Cell(photo_of(specimen, boxed=True))}
        for row, layer in enumerate(study.layers):
            for each in study.methods:
                if each.layer == layer and each.key in specimen.maps:
                    said = f"energy in the box {energy_in_box(specimen, each.key):.0%}"
                    picture = heatmap_of(specimen, each.key, boxed=True)
                    cells[row, 1 + titles.index(each.title)] = Cell(picture, [said])
        rows = [study.layer_title(layer) for layer in study.layers]
        return Tableau(specimen.title, ground, ("photo", *titles), rows, cells, beside=True).figure
