"""Several baselines, and the integral averaged over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch import Tensor, nn

from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.errors import BaselineError


@dataclass(frozen=True)
class Averaged(Baseline):
    """One path from each of `baselines`; maps are made from the mean of their integrals."""

    name: ClassVar[str] = "averaged"
    summary: ClassVar[str] = "several baselines, averaged over (Python only)"

    baselines: tuple[Baseline, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "baselines", tuple(self.baselines))
        if not self.baselines or not all(isinstance(each, Baseline) for each in self.baselines):
            raise BaselineError(f"Averaged needs one or more baselines, got {self.baselines!r}")

    def parts(self) -> tuple[Baseline, ...]:
        return tuple(part for baseline in self.baselines for part in baseline.parts())

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        return self.parts()[0].images(x, model)
