"""Any function of the model's output."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from rsi_gradcam.errors import TargetError
from rsi_gradcam.targets.base import Activations, BoundTarget, Pull, Target


@dataclass(frozen=True)
class Function(Target, BoundTarget):
    """y = function(output): one number for each row, each from its own row alone.

    The same function is put to every batch of path points, so it must not depend on a row's place.
    """

    function: Callable[[Any], Tensor]

    def reads(self) -> None:
        """It may hold whatever the user put into it."""

    def bind(self, output: object, activations: Activations, rows: Tensor) -> BoundTarget:  # noqa: ARG002
        return self

    def pull(self, output: object, activations: Activations, rows: Tensor) -> Pull:  # noqa: ARG002
        y = self.function(output)
        if not isinstance(y, Tensor) or y.shape != rows.shape:
            came = f"shape {tuple(y.shape)}" if isinstance(y, Tensor) else type(y).__name__
            raise TargetError(
                f"the target function must give one number per image, shape ({len(rows)},), it gave {came}"
            )
        return Pull(y.detach(), y, torch.ones_like(y))

    def key(self, row: int) -> Hashable:  # noqa: ARG002 - one function for all
        return ()
