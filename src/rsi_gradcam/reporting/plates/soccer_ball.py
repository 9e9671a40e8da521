"""A photo of which the network is fairly sure, at every layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked, nearest
from rsi_gradcam.reporting.plates.method_by_layer import method_by_layer
from rsi_gradcam.reporting.plates.photo_plate import PhotoPlate
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPERS = 0.856  # the probability of the paper's soccer ball


@dataclass(frozen=True)
class SoccerBall(PhotoPlate):
    """fig. soccer_ball: methods by layers, far from saturation."""

    name: ClassVar[str] = "soccer_ball"
    label: ClassVar[str] = "soccer_ball"
    summary: ClassVar[str] = "a photo far from saturation: overlays by method and layer"
    caption: ClassVar[str] = "Each method at each layer, where the network's output is far from saturated."

    def pick(self, study: Study) -> Picked:
        return nearest(study, PAPERS)

    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        return method_by_layer(study, specimen, ground)
