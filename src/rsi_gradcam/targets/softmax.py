"""p_c with the gradient that softmax's own backward gives, rounding included: the paper's arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from rsi_gradcam.targets.class_target import ClassTarget, one_hot, pick


@dataclass(frozen=True)
class Softmax(ClassTarget):
    """y = p_c, v = p ⊙ (e_c − p_c): in float32, v_c is exactly 0 once p_c rounds to 1."""

    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        p = logits.softmax(1)
        p_c = pick(p, chosen)
        return p_c, p * (one_hot(p, chosen) - p_c[:, None])
