"""What the layer sees, whatever the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.controls.base import Control, View


@dataclass(frozen=True)
class Activation(Control):
    """Σ_k A^k: the layer's activations, none weighted for the class."""

    name: ClassVar[str] = "activation"
    summary: ClassVar[str] = "the sum of the layer's activations, for no class"
    title: ClassVar[str] = "the plain sum of activations"
    at_layer: ClassVar[bool] = True

    def map(self, view: View) -> Tensor:
        return view.activations.sum(0)
