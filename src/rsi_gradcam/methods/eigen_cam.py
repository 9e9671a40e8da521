"""EigenCAM: the layer's activations along their first principal direction, whatever the class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.methods.base import EndpointMethod


@dataclass(frozen=True)
class EigenCAM(EndpointMethod):
    """L = ReLU(A' v), with v the first right singular vector of the centred activations (places × channels).

    A singular vector has no sign: the one is taken with which the map agrees with the mean activation.
    Muhammad and Yeasin 2020.
    """

    name: ClassVar[str] = "eigen_cam"
    summary: ClassVar[str] = "activations along their first principal direction (no class)"

    def localize(self, A: Tensor, G: Tensor) -> Tensor:  # noqa: ARG002 - it does not look at the class
        batch, _, height, width = A.shape
        places = A.flatten(2).transpose(1, 2)  # batch place channel
        centred = places - places.mean(1, keepdim=True)
        v = torch.linalg.svd(centred, full_matrices=False).Vh[:, 0, :, None]
        L = (centred @ v)[..., 0]  # batch place
        sign = (L * centred.mean(2)).sum(1, keepdim=True).sign()
        return (torch.where(sign < 0, -L, L)).view(batch, height, width)
