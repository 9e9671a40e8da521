"""Figures that show photos of the evaluation."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.picking import Picked
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.specimen import Specimen, specimens
from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class PhotoPlate(Plate):
    """One figure for each photo that was named; without names, of one that a rule picks."""

    photos: ClassVar[bool] = True
    boxed: ClassVar[bool] = False  # does it need a box?
    caption: ClassVar[str]

    def missing(self, study: Study) -> str:
        found = specimens(study)
        if found.dataset is None:
            return found.why
        if not study.methods:
            return "the run has no maps"
        if self.boxed and not any(example.boxes for example in found.examples.values()):
            return "no photo of the run has a box"
        return ""

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        if not study.shown:
            picked = self.pick(study)
            return (self.drawn(study, picked, self.label),)
        named = [Picked(name, "") for name in study.shown]
        return tuple(self.drawn(study, picked, f"{self.label}-{file_name(picked.name)}") for picked in named)

    def drawn(self, study: Study, picked: Picked, name: str) -> Drawn:
        specimen = specimens(study).specimen(picked.name)
        return Drawn(name, self.caption, self.picture(study, specimen, ground(study, picked)), photos=True)

    @abstractmethod
    def pick(self, study: Study) -> Picked:
        """The photo that is shown when none is named."""

    @abstractmethod
    def picture(self, study: Study, specimen: Specimen, ground: str) -> Figure:
        """The figure of one photo."""


def ground(study: Study, picked: Picked) -> str:
    network = study.configuration["network"]["name"]
    return " · ".join(part for part in (network, picked.name, picked.why) if part)


def file_name(name: str) -> str:
    return re.sub(r"[^\w.]+", "_", name).strip("_.")
