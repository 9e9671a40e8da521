"""Images of the data set itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import Baseline
from rsi_gradcam.baselines.given import Given
from rsi_gradcam.errors import BaselineError


@dataclass(frozen=True, eq=False)
class Sample(Baseline):
    """`count` images drawn from `data` (number, channel, height, width), and the integral averaged over them.

    With many, this is the expectation that Expected Gradients take over the data.
    """

    name: ClassVar[str] = "sample"
    summary: ClassVar[str] = "images drawn from your data, averaged over (Python only)"

    data: Tensor
    count: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if self.data.dim() != 4 or not 0 < self.count <= len(self.data):
            raise BaselineError(
                f"Sample needs data (number, channel, height, width) with at least {self.count} images, "
                f"got shape {tuple(self.data.shape)}"
            )

    def parts(self) -> tuple[Baseline, ...]:
        order = torch.randperm(len(self.data), generator=torch.Generator().manual_seed(self.seed))
        return tuple(Given(self.data[index : index + 1]) for index in order[: self.count].tolist())

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        return self.parts()[0].images(x, model)
