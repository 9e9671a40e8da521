"""CAM, the original: the weights of a linear head that stands on the layer's global average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from rsi_gradcam.axes import SPACE
from rsi_gradcam.errors import LayerError, TargetError
from rsi_gradcam.methods.base import ModelMethod, Scene, combine
from rsi_gradcam.targets.base import logits_of

AGREE = 1e-2  # relative: how near the head's answer must come to the model's, also in bfloat16


@dataclass(frozen=True)
class CAM(ModelMethod):
    """L = ReLU(Σ_k w^c_k A^k), with w^c the class's row in the head's matrix. Zhou et al. 2016.

    Only where the output is that head of the layer's spatial mean, which is checked by computing it so.
    """

    name: ClassVar[str] = "cam"
    summary: ClassVar[str] = "channels weighted by the linear head (global average pooling networks only)"

    def weights(self, scene: Scene) -> Tensor:
        classes = [c for c in scene.classes if c is not None]
        if len(classes) != len(scene.x):
            raise TargetError("cam needs a class for each image: give target=a class index, or None")
        return find_head(scene).weight.detach()[classes].to(scene.A)

    def localize(self, scene: Scene) -> tuple[Tensor, int]:
        return combine(self.weights(scene), scene.A), 1


def find_head(scene: Scene) -> nn.Linear:
    """The linear layer that gives the model's output from the layer's spatial mean."""
    pooled, output = scene.A.mean(SPACE), logits_of(scene.output)
    for module in scene.model.modules():
        if isinstance(module, nn.Linear) and module.weight.shape == (output.shape[1], pooled.shape[1]):
            bias = module.bias if module.bias is not None else 0.0
            again = pooled @ module.weight.detach().to(pooled).T + bias
            if (again - output).abs().max() <= AGREE * output.abs().max():
                return module
    raise LayerError(
        f"cam needs a network whose output is one linear layer on the global average of {scene.layer!r}, "
        f"and this is not so here: take the last layer before such a head, or method grad_cam"
    )
