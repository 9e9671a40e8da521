"""A photo of which a method's map vanishes, at every layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, vanishing
from rsi_gradcam.reporting.plates.method_by_layer import method_by_layer
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picks(PhotoPlate):
    """fig. picks: methods by layers, where the output is so saturated that maps go dark."""

    name: ClassVar[str] = "picks"
    label: ClassVar[str] = "picks"
    summary: ClassVar[str] = "a photo whose maps vanish: overlays by method and layer"
    caption: ClassVar[str] = "Each method at each layer, where saturation makes maps dark, if it does."

    def pick(self, study: Study) -> Picked:
        return vanishing(study)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        return method_by_layer(study, specimen, ground)
