"""p_c with its exact gradient, also where the output is saturated."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.targets.class_target import ClassTarget, pick


@dataclass(frozen=True)
class Probability(ClassTarget):
    """y = p_c. Its gradient is written without the difference 1 − p_c, which float32 rounds to 0:

        v_c =  p_c · Σ_{j≠c} p_j
        v_j = −p_c · p_j

    with each factor from the log-softmax, so that it holds down to the smallest float.
    """

    def score(self, logits: Tensor, chosen: Tensor, rival: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        log_p = logits.log_softmax(1)
        log_pc = pick(log_p, chosen)
        log_rest = log_p.scatter(1, chosen[:, None], -torch.inf).logsumexp(1)  # log Σ_{j≠c} p_j
        v = -(log_pc[:, None] + log_p).exp()  # v_j
        v_c = (log_pc + log_rest).exp()
        return log_pc.exp(), v.scatter(1, chosen[:, None], v_c[:, None])
