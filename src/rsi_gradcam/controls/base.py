"""What a control is: a map that knows nothing of the network's reasons, made and scored beside the methods'."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.heatmap import normalise, upsample


@dataclass(frozen=True, eq=False)
class View:
    """What a control may look at."""

    pixels: Tensor  # (3, H, W) in 0..1: the photo as the network sees it
    inside: Tensor | None  # (H, W) bool: pixels inside the boxes; None without boxes
    activations: Tensor  # (channels, h, w) at the layer beside which the control stands
    seed: int  # of this photo in this run: the same on every engine


class Control(ABC):
    """A frozen description of a trivial map. Its file's name is its name everywhere."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for lists
    title: ClassVar[str]  # in a sentence
    boxed: ClassVar[bool] = False  # does it look at the boxes? then it is no rival but a bound
    at_layer: ClassVar[bool] = False  # is it another at every layer? else it is made once, at layer "input"

    @abstractmethod
    def map(self, view: View) -> Tensor:
        """(h, w), raw: at the layer's resolution if `at_layer`, else at the input's."""

    def heatmap(self, raw: Tensor, size: tuple[int, int], epsilon: float = 0.0) -> Tensor:
        """(H, W) in [0, 1]: made of the raw map as a method's heatmap is made of its own.

        A control whose map is a heatmap already, such as the all-ones map that has no range to be normalised,
        says so by its own `heatmap`.
        """
        return upsample(normalise(raw[None], epsilon), size)[0]
