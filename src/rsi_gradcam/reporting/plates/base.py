"""What a plate is: one figure of the paper, drawn from a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Drawn:
    """A figure, the name of its file, and what it shows in words."""

    name: str
    caption: str
    figure: Figure
    photos: bool = False  # does it show any?


@dataclass(frozen=True)
class Skipped:
    """A figure that could not be drawn, and why, in a sentence."""

    name: str
    why: str


class Plate(ABC):
    """One figure of the paper. Its file's name is the paper's label, with _ for other signs."""

    name: ClassVar[str]
    label: ClassVar[str]  # the paper's; `-block5` and such are put to it by layer
    summary: ClassVar[str]
    photos: ClassVar[bool] = False  # does it show photos?
    needs_maps: ClassVar[bool] = True

    @abstractmethod
    def missing(self, study: Study) -> str:
        """Why the store does not give this figure, in a sentence; "" where it does."""

    @abstractmethod
    def draw(self, study: Study) -> tuple[Drawn, ...]:
        """The figure, or one for each layer."""
