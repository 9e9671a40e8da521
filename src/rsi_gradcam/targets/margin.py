"""By how much the class beats the runner-up."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from rsi_gradcam.targets.class_target import ClassTarget, one_hot, pick


@dataclass(frozen=True)
class Margin(ClassTarget):
    """y = z_c − z_r. The rival r is the best other class for the image itself, all along the path."""

    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:
        y = pick(logits, chosen) - pick(logits, rival)
        return y, one_hot(logits, chosen) - one_hot(logits, rival)
