"""What a source of networks is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.download import Progress
from rsi_gradcam.zoo.network import Network


@dataclass(frozen=True)
class Order:
    """A network by name, with its own weights and preprocessing unless others are given."""

    name: str
    weights: Path | None = None
    preprocess: Preprocess | None = None
    progress: Progress | None = None


class Source(Protocol):
    """A file of this folder."""

    def names(self) -> tuple[str, ...]:
        """The networks that can be asked for by name."""
        ...

    def knows(self, name: str) -> bool:
        """Is this one of them, with the weights that it may name?"""
        ...

    def load(self, order: Order) -> Network:
        """The network that was ordered."""
        ...
