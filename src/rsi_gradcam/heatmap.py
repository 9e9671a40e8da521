"""From a raw map to a heatmap: normalised to [0, 1], brought to the image's size; and whether it is dark."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from rsi_gradcam.axes import SPACE


def safe_divide(part: Tensor, whole: Tensor) -> Tensor:
    """part / whole, with 0 where the whole is 0: a map without range is dark everywhere."""
    return torch.where(whole == 0, torch.zeros_like(part), part / torch.where(whole == 0, 1.0, whole))


def spread(raw: Tensor) -> Tensor:
    """max(L) − min(L) of each map."""
    return raw.amax(SPACE) - raw.amin(SPACE)


def normalise(raw: Tensor, epsilon: float = 0.0) -> Tensor:
    """L_norm, eq. normeps. With ε = 0 the map's scale is no matter, and only a constant map stays dark."""
    low = raw.amin(SPACE, keepdim=True)
    high = raw.amax(SPACE, keepdim=True)
    return safe_divide(raw - low, high - low + epsilon)  # eq. normeps


def is_dark(raw: Tensor, epsilon: float = 1e-8) -> Tensor:
    """Whether each map is a dark heatmap: normalised with ε it stays below one half.

    That is max(L) − min(L) < ε for ε > 0. With ε = 0 only a map without any range is dark.
    """
    return spread(raw) < epsilon if epsilon > 0 else spread(raw) == 0


def upsample(heatmap: Tensor, size: tuple[int, int]) -> Tensor:
    """Bilinear, to the size of the image (height, width)."""
    if heatmap.shape[-2:] == size:
        return heatmap
    return functional.interpolate(heatmap[:, None], size, mode="bilinear", align_corners=False)[:, 0]
