"""A photo's maps by method and layer, over the photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rsi_gradcam.reporting.pictures import overlay_of, photo_of
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.reporting.tableau import Cell, Tableau

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def method_by_layer(study: Study, specimen: Specimen, ground: str) -> Figure:
    """A column for each method, a row for each layer, the photo on the left."""
    titles = list(dict.fromkeys(each.title for each in study.methods))
    cells = {(0, 0): Cell(photo_of(specimen)), **overlays(study, specimen, study.layers, titles)}
    rows = [study.layer_title(layer) for layer in study.layers]
    return Tableau(specimen.title, ground, ("photo", *titles), rows, cells, beside=True).figure


def overlays(
    study: Study, specimen: Specimen, layers: Sequence[str], titles: Sequence[str], first: int = 0
) -> dict[tuple[int, int], Cell]:
    """Of these layers, one row each from row `first` on; columns from 1 on."""
    return {
        (first + layers.index(each.layer), 1 + titles.index(each.title)): Cell(
            overlay_of(specimen, each.key), dark_note(specimen, each.key)
        )
        for each in study.methods
        if each.layer in layers and each.key in specimen.maps
    }


def dark_note(specimen: Specimen, key: tuple[str, str]) -> list[str]:
    return ["dark"] if float(specimen.maps[key].max()) < 0.5 else []
