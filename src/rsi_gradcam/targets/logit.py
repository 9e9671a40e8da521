"""The class's logit, before any softmax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor

from rsi_gradcam.targets.class_target import ClassTarget, one_hot, pick


@dataclass(frozen=True)
class Logit(ClassTarget):
    """y = z_c, v = e_c: never saturates, and does not see the other classes."""

    compares: ClassVar[bool] = False

    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        return pick(logits, chosen), one_hot(logits, chosen)
