"""Networks that end in a softmax: what they give is no logit."""

from __future__ import annotations

from torch import Tensor

SLACK = 1e-3  # how far a sum of rounded probabilities may be from 1


class AlreadyProbabilities(UserWarning):
    """The outputs that are taken for logits are probabilities."""


def are_probabilities(outputs: Tensor) -> bool:
    """Whether these outputs (classes,) for one image are none below 0, and 1 together. Logits hardly ever are."""
    return len(outputs) > 1 and bool(outputs.amin() >= 0) and abs(float(outputs.sum()) - 1) < SLACK


def probabilities(outputs: Tensor) -> Tensor:
    """(classes,): of logits by softmax, else as they are."""
    return outputs if are_probabilities(outputs) else outputs.softmax(0)
