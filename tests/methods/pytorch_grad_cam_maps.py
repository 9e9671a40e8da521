"""pytorch-grad-cam's maps at the layer's own resolution, before it scales them."""

from __future__ import annotations

import numpy as np
import torch
from pytorch_grad_cam.base_cam import BaseCAM
from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget
from torch import Tensor, nn


def layer_map(
    method: type[BaseCAM], model: nn.Module, layer: nn.Module, x: Tensor, classes: tuple[int, ...]
) -> np.ndarray:
    with method(model, [layer]) as reference:
        targets = [ClassifierOutputTarget(index) for index in classes]
        outputs = reference.activations_and_grads(x)
        if reference.uses_gradients:
            sum(target(output) for target, output in zip(targets, outputs, strict=True)).backward()
        seen = reference.activations_and_grads
        activations = seen.activations[0].numpy()
        gradients = seen.gradients[0].numpy() if reference.uses_gradients else None
        with torch.no_grad():
            return reference.get_cam_image(x, layer, targets, activations, gradients, False)
