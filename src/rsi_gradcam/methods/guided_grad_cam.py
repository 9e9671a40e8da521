"""Guided Grad-CAM: guided backpropagation to the pixels, seen through the Grad-CAM map."""

from __future__ import annotations

import copy
import warnings
from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn
from torch.nn.functional import relu

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.errors import MissingExtra, TargetError
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.methods.base import Evidence, ModelMethod, Scene, check_evidence
from rsi_gradcam.methods.grad_cam import GradCAM
from rsi_gradcam.targets.base import logits_of


@dataclass(frozen=True)
class GuidedGradCAM(ModelMethod):
    """Guided backpropagation of the class's output ⊙ the upsampled Grad-CAM map, summed over colours.

    Guided backpropagation is Captum's, and changes the gradient of ReLU modules alone. It hooks those modules
    while it runs: those of a copy, which has the model's own tensors. Selvaraju et al. 2017.
    """

    name: ClassVar[str] = "guided_grad_cam"
    summary: ClassVar[str] = "guided backpropagation times Grad-CAM, at the pixels"
    rectified: ClassVar[bool] = False
    requires: ClassVar[str | None] = "captum"

    positive: bool = False
    evidence: Evidence = "absolute"

    def __post_init__(self) -> None:
        check_evidence(self.evidence)

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
        result: Tensor = GuidedBackprop(ForLogits(copied(scene.model))).attribute(leaf, target=list(scene.classes))
    return result.detach()


def copied(model: nn.Module) -> nn.Module:
    """Modules of its own, so that what is hung on them disturbs nobody; the tensors are the model's."""
    tensors = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    return copy.deepcopy(model, tensors)


class ForLogits(nn.Module):
    """A model that gives its logits alone, whatever it holds them in."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor) -> Tensor:
        return logits_of(self.model(x))
