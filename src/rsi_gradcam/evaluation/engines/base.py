"""What an engine is: something that has parts made, wherever it likes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from rsi_gradcam.evaluation.worker import Recipe, Told


class Engine(ABC):
    """A frozen description of where the work is done.

    Workers are made from the recipe, which can be pickled, and give back whole parts as bytes: they write
    nothing, so they need no disk in common with whoever does.
    """

    name: ClassVar[str]

    @abstractmethod
    def parts(self, recipe: Recipe, chunks: Sequence[int], told: Told) -> Iterator[tuple[int, bytes]]:
        """Each chunk's part as it is finished, in any order. `told` hears of a photo's rows, here."""
