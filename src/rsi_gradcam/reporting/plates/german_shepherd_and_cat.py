"""Two classes in one photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import two_classes
from rsi_gradcam.reporting.pictures import photo_of
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.plates.method_by_layer import overlays
from rsi_gradcam.reporting.specimen import Specimen, specimens
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class GermanShepherdAndCat(Plate):
    """fig. german_shepherd_and_cat: the same photo explained for either class, at the last layer."""

    name: ClassVar[str] = "german_shepherd_and_cat"
    label: ClassVar[str] = "german_shepherd_and_cat"
    summary: ClassVar[str] = "one photo explained for two classes, by method"
    photos: ClassVar[bool] = True

    def missing(self, study: Study) -> str:
        found = specimens(study)
        if found.dataset is None:
            return found.why
        return "" if study.methods and two_classes(study) else "the run explains no photo for two classes"

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        both = [specimens(study).specimen(name) for name in two_classes(study)]
        caption = "One photo, explained for two of its classes."
        return (Drawn(self.label, caption, two_rows(study, both), photos=True),)


def two_rows(study: Study, both: list[Specimen]) -> Figure:
    last = study.layers[0]
    titles = [each.title for each in study.methods if each.layer == last]
    cells = {(0, 0): Cell(photo_of(both[0]))}
    for row, specimen in enumerate(both):
        cells |= overlays(study, specimen, [last], titles, row)
    ground = f"{study.configuration['network']['name']} · {both[0].picture} · at {study.layer_title(last)}"
    title = " and ".join(each.short for each in both)
    return Tableau(title, ground, ("photo", *titles), [each.title for each in both], cells, beside=True).figure
