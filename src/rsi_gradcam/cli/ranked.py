"""A class by its place among the predicted ones, with what the network said of all classes kept."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from torch import Tensor

from rsi_gradcam.errors import ModelError
from rsi_gradcam.targets import BoundTarget, ClassTarget, Target
from rsi_gradcam.targets.base import Activations, logits_of
from rsi_gradcam.targets.class_target import BoundClass


class NotFinite(ModelError):  # noqa: N818 - reads as the fact it states
    """The network's output for these rows of the batch is no number."""

    def __init__(self, rows: tuple[int, ...], whose: str = "a photo") -> None:
        super().__init__(
            f"the network's output for {whose} is not finite: check its weights and preprocessing",
        )
        self.rows = rows


@dataclass(frozen=True, eq=False)
class Ranked(Target):
    """The class `index`, or else the one at `rank` (0: the likeliest), explained by a score of this kind.

    The sweep shows each target the network's answer to every image. It is noted here, so that no pass of the
    network is spent on it; and one that is no number ends the sweep before it has begun.
    """

    kind: type[ClassTarget]
    index: int | None = None
    rank: int = 0
    logits: dict[int, Tensor] = field(default_factory=dict)  # row of the batch -> (classes,)

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:
        logits = logits_of(output).detach()
        if not (sound := (logits < float("inf")).all(1)).all():  # −∞ is a class ruled out
            raise NotFinite(tuple(rows[~sound.to(rows.device)].tolist()))
        bound = self.kind(self.index).bind(output, activations, rows)
        self.logits.update(zip(rows.tolist(), logits.float().cpu(), strict=True))
        if self.rank == 0:
            return bound
        assert isinstance(bound, BoundClass)
        chosen = logits.topk(self.rank + 1).indices[:, -1]
        return replace(bound, chosen=chosen, rival=logits.argmax(1))
