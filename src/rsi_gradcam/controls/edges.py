"""Where the photo has edges: what an eye sees without any network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor
from torch.nn import functional

from rsi_gradcam.controls.base import Control, View

GREY = (0.299, 0.587, 0.114)  # how bright red, green and blue look
ACROSS = ((-1.0, 0.0, 1.0), (-2.0, 0.0, 2.0), (-1.0, 0.0, 1.0))  # Sobel's; turned, it is the one that goes down


@dataclass(frozen=True)
class Edges(Control):
    """The length of the grey photo's gradient, by Sobel's differences; edges of the photo are none."""

    name: ClassVar[str] = "edges"
    summary: ClassVar[str] = "where the photo has edges"
    title: ClassVar[str] = "the map of edges"

    def map(self, view: View) -> Tensor:
        grey = (view.pixels * view.pixels.new_tensor(GREY)[:, None, None]).sum(0)
        across = torch.tensor(ACROSS, dtype=grey.dtype, device=grey.device)
        kernels = torch.stack([across, across.T])[:, None]
        framed = functional.pad(grey[None, None], (1, 1, 1, 1), mode="replicate")
        differences: Tensor = functional.conv2d(framed, kernels)[0]
        return (differences**2).sum(0).sqrt()
