"""The logarithm of the class's probability."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.targets.class_target import ClassTarget, pick


@dataclass(frozen=True)
class LogProbability(ClassTarget):
    """y = log p_c, v = e_c − p, with v_c = Σ_{j≠c} p_j written out."""

    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        log_p = logits.log_softmax(1)
        v_c = log_p.scatter(1, chosen[:, None], -torch.inf).logsumexp(1).exp()
        return pick(log_p, chosen), (-log_p.exp()).scatter(1, chosen[:, None], v_c[:, None])
