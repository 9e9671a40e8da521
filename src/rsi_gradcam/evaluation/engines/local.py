"""In this process: one network, photos read ahead of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam.evaluation.engines.base import Engine
from rsi_gradcam.evaluation.worker import Recipe, Told, Worker
from rsi_gradcam.zoo import Network


@dataclass(frozen=True, eq=False)
class Local(Engine):
    """`network` is the recipe's, where it is here already."""

    name: ClassVar[str] = "local"

    network: Network | None = None

    def parts(self, recipe: Recipe, chunks: Sequence[int], told: Told) -> Iterator[tuple[int, bytes]]:
        yield from Worker(recipe, self.network).parts(chunks, told)
