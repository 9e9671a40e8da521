"""Guided Grad-CAM: guided backpropagation to the pixels, seen through the Grad-CAM map."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor
from torch.nn.functional import relu

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.errors import MissingExtra, TargetError
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.methods.base import Evidence, ModelMethod, Scene
from rsi_gradcam.methods.grad_cam import GradCAM


@dataclass(frozen=True)
class GuidedGradCAM(ModelMethod):
    """Guided backpropagation of the class's output ⊙ the upsampled Grad-CAM map, summed over colours.

    Guided backpropagation is Captum's, and changes the gradient of ReLU modules alone. It hooks those
    modules while it runs, so do not run it on one model from two threads. Selvaraju et al. 2017.
    """

    name: ClassVar[str] = "guided_grad_cam"
    summary: ClassVar[str] = "guided backpropagation times Grad-CAM, at the pixels"
    rectified: ClassVar[bool] = False
    requires: ClassVar[str | None] = "captum"

    positive: bool = False
    evidence: Evidence = "absolute"

    def localize(self, scene: Scene) -> tuple[Tensor, int]:
        if len([c for c in scene.classes if c is not None]) != len(scene.x):
            raise TargetError("guided_grad_cam needs a class for each image: give target=a class index, or None")
        L = relu(GradCAM(self.positive).localize(scene.A, scene.G))
        height, width = scene.x.shape[-2:]
        return guided_backpropagation(scene).sum(CHANNEL) * upsample(L.to(scene.x), (height, width)), 2


def guided_backpropagation(scene: Scene) -> Tensor:
    try:
        from captum.attr import GuidedBackprop  # noqa: PLC0415 - an optional extra
    except ImportError as missing:
        raise MissingExtra("method guided_grad_cam", "captum") from missing
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Setting backward hooks on ReLU")
        leaf = scene.x.detach().clone().requires_grad_()
        result: Tensor = GuidedBackprop(scene.model).attribute(leaf, target=list(scene.classes))
    return result.detach()
