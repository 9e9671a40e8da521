"""What the network is shown to judge a heatmap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, main_series, median
from rsi_gradcam.reporting.pictures import explanation_map, heatmap_of, seen_by_network
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class ExplMap(PhotoPlate):
    """fig. expl_map: E = L ⊙ I."""

    name: ClassVar[str] = "expl_map"
    label: ClassVar[str] = "expl_map"
    summary: ClassVar[str] = "image, heatmap and explanation map"
    caption: ClassVar[str] = "The photo as the network sees it, its heatmap, and their product."

    def pick(self, study: Study) -> Picked:
        return median(study)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        ours = main_series(study)
        cells = {
            (0, 0): Cell(seen_by_network(specimen)),
            (0, 1): Cell(heatmap_of(specimen, ours.key)),
            (0, 2): Cell(explanation_map(specimen, ours.key)),
        }
        heads = ("image I", "heatmap L", "E = L ⊙ I")
        place = f"{ours.title} at {study.layer_title(ours.layer)}"
        return Tableau(specimen.title, f"{place} · {ground}", heads, ("",), cells, bar=False).figure
