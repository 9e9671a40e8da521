"""A class by its place among the predicted ones, with what the network said of all classes kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from torch import Tensor

from rsi_gradcam.targets import BoundTarget, ClassTarget, Target
from rsi_gradcam.targets.base import Activations, logits_of
from rsi_gradcam.targets.class_target import BoundClass


@dataclass(frozen=True, eq=False)
class Ranked(Target):
    """The class `index`, or else the one at `rank` (0: the likeliest), explained by a score of this kind.

    The sweep shows each target the network's answer to every image. It is noted here, so that no pass of the
    network is spent on it.
    """

    kind: type[ClassTarget]
    index: int | None = None
    rank: int = 0
    logits: dict[int, Tensor] = field(default_factory=dict)  # row of the batch -> (classes,)

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:
        bound = self.kind(self.index).bind(output, activations, rows)
        logits = logits_of(output).detach()
        self.logits.update(zip(rows.tolist(), logits.float().cpu(), strict=True))
        if self.rank == 0:
            return bound
        assert isinstance(bound, BoundClass)
        chosen = logits.topk(self.rank + 1).indices[:, -1]
        return replace(bound, chosen=chosen, rival=logits.argmax(1))
