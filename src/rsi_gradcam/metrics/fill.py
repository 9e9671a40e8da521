"""What comes into the place of pixels that are taken away."""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

from rsi_gradcam.axes import SPACE
from rsi_gradcam.baselines.blur import gaussian_blur
from rsi_gradcam.metrics.base import Seen

Fill = Literal["black", "zero", "mean", "blur", "lowest"]


def filling(seen: Seen, fill: Fill = "black", sigma: float = 20.0) -> Tensor:
    """(3, H, W), as the network expects it.

    black    pixels of 0
    zero     0 after the network's normalisation: the mean colour of its training
    mean     the photo's own mean colour
    blur     the photo under a Gaussian of `sigma` pixels
    lowest   the smallest number of the photo after normalisation, in all colours alike: Quantus' "black"
    """
    x = seen.preprocess.normalise(seen.pixels)
    if fill == "black":
        return seen.preprocess.normalise(torch.zeros_like(seen.pixels))
    if fill == "mean":
        return x.mean(SPACE, keepdim=True).expand_as(x)
    if fill == "blur":
        return gaussian_blur(x[None], sigma)[0]
    return torch.zeros_like(x) if fill == "zero" else x.amin().expand_as(x)
