"""Score-CAM: channels weighted by the score of the image seen through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from rsi_gradcam.heatmap import normalise, upsample
from rsi_gradcam.methods.base import ModelMethod, Scene, combine


@dataclass(frozen=True)
class ScoreCAM(ModelMethod):
    """w = softmax_k(y(x ⊙ H^k)) with H^k the upsampled, normalised A^k,  L = ReLU(Σ_k w_k A^k). Wang et al. 2020.

    One pass of the model for each channel.
    """

    name: ClassVar[str] = "score_cam"
    summary: ClassVar[str] = "channels weighted by the score of the image masked with them (slow)"

    def weights(self, scene: Scene) -> Tensor:
        return torch.stack([self.weights_of(scene, row) for row in range(len(scene.x))])

    def weights_of(self, scene: Scene, row: int) -> Tensor:
        height, width = scene.x.shape[-2:]
        scores = []
        for A in torch.split(scene.A[row], scene.batch_size):
            H = normalise(upsample(A, (height, width)))  # channels height width
            masked = scene.x[row] * H[:, None].to(scene.x)
            scores.append(scene.score(masked, torch.full((len(A),), row, device=A.device)))
        return torch.cat(scores).softmax(0)

    def localize(self, scene: Scene) -> tuple[Tensor, int]:
        return combine(self.weights(scene).to(scene.A), scene.A), 1 + scene.A.shape[1]
