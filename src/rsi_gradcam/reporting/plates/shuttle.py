"""A photo of which the network is as sure as can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, surest
from rsi_gradcam.reporting.pictures import heatmap_of, overlay_of, photo_of
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Shuttle(PhotoPlate):
    """fig. shuttle: the photo, each method's heatmap at the last layer, and the overlays."""

    name: ClassVar[str] = "shuttle"
    label: ClassVar[str] = "shuttle"
    summary: ClassVar[str] = "a saturated photo: heatmaps and overlays of each method at the last layer"
    caption: ClassVar[str] = "Each method's heatmap where the network's output is saturated."

    def pick(self, study: Study) -> Picked:
        return surest(study)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        last = study.layers[0]
        there = [each for each in study.methods if each.layer == last and each.key in specimen.maps]
        cells = {(0, 0): Cell(photo_of(specimen))}
        for column, each in enumerate(there, 1):
            cells[0, column] = Cell(overlay_of(specimen, each.key))
            cells[1, column] = Cell(heatmap_of(specimen, each.key))
        heads = ("photo", *(each.title for each in there))
        rows = (f"overlay at {study.layer_title(last)}", "heatmap")
        return Tableau(specimen.title, ground, heads, rows, cells, beside=True).figure
