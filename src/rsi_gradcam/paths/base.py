"""What a path is: images between the baseline (α = 0) and the image itself (α = 1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from torch import Tensor


class Path(ABC):
    """A frozen description of γ(α)."""

    name: ClassVar[str]
    summary: ClassVar[str]
    from_baseline: ClassVar[bool] = False  # does it start at the baseline, or at an image of its own?

    @abstractmethod
    def at(self, alpha: Tensor, x: Tensor, baseline: Tensor, rows: Tensor) -> Tensor:
        """γ(α) for a batch of points: each has its own α, image, baseline, and the image's place in the batch."""

    def check(self, x: Tensor) -> None:  # noqa: B027 - most paths fit any image
        """An error where the path cannot end at these images."""
