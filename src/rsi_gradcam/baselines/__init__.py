"""Where the path starts, one kind of baseline per file."""

from __future__ import annotations

from typing import TypeAlias

from torch import Tensor

from rsi_gradcam.baselines.averaged import Averaged
from rsi_gradcam.baselines.base import Baseline, UnknownNormalisation
from rsi_gradcam.baselines.black import Black
from rsi_gradcam.baselines.blur import Blur
from rsi_gradcam.baselines.colour import Colour
from rsi_gradcam.baselines.given import Given
from rsi_gradcam.baselines.mean import Mean
from rsi_gradcam.baselines.noise import Noise
from rsi_gradcam.baselines.sample import Sample
from rsi_gradcam.baselines.uncertain import Uncertain
from rsi_gradcam.baselines.white import White

BaselineLike: TypeAlias = Baseline | Tensor | str | None

__all__ = [
    "Averaged",
    "Baseline",
    "BaselineLike",
    "Black",
    "Blur",
    "Colour",
    "Given",
    "Mean",
    "Noise",
    "Sample",
    "Uncertain",
    "UnknownNormalisation",
    "White",
]
