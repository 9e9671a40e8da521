"""What the measures by threshold compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, main_series, median
from rsi_gradcam.reporting.pictures import heatmap_of, region_on_box
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THRESHOLDS = (0.15, 0.3, 0.5, 0.7)
NOTE = "Yellow: region and box; purple: region alone; blue: box alone. The region is where the heatmap is above it."


@dataclass(frozen=True)
class JaccardEx(PhotoPlate):
    """fig. jaccard_ex: regions at several thresholds against the box."""

    name: ClassVar[str] = "jaccard_ex"
    label: ClassVar[str] = "jaccard_ex"
    summary: ClassVar[str] = "regions at several thresholds against the box"
    boxed: ClassVar[bool] = True
    caption: ClassVar[str] = "The region above a threshold and the box, and how they overlap."

    def pick(self, study: Study) -> Picked:
        return median(study)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        ours = main_series(study)
        cells = {(0, 0): Cell(heatmap_of(specimen, ours.key, boxed=True))}
        for column, threshold in enumerate(THRESHOLDS, 1):
            picture, said = region_on_box(specimen, ours.key, threshold)
            cells[0, column] = Cell(picture, [said])
        heads = ("heatmap", *(f"above {threshold:g}" for threshold in THRESHOLDS))
        place = f"{ours.title} at {study.layer_title(ours.layer)}"
        return Tableau(specimen.title, f"{place} · {ground}", heads, ("",), cells, (NOTE,), bar=False).figure
