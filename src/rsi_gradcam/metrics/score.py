"""What is read off the network's answer: the class's probability, or its logit."""

from __future__ import annotations

from typing import Literal

from torch import Tensor

Score = Literal["probability", "logit"]


def scores(logits: Tensor, category: int, score: Score = "probability") -> Tensor:
    """(n,) float64, of logits (n, classes)."""
    answer = logits.double()
    return answer.softmax(1)[:, category] if score == "probability" else answer[:, category]
