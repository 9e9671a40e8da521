"""A run: what is missing in a store is made by an engine and written, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rsi_gradcam.datasets import Dataset
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.configuration import configuration_of
from rsi_gradcam.evaluation.engines.base import Engine
from rsi_gradcam.evaluation.environment import environment
from rsi_gradcam.evaluation.manifest import manifest_of
from rsi_gradcam.evaluation.protocol import Protocol
from rsi_gradcam.evaluation.selection import export_chosen
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.worker import Recipe, Told, nobody
from rsi_gradcam.zoo import Network, load

PART_SIZE = 8


@dataclass(frozen=True)
class NamedNetwork:
    """A network by what a person says of it: it can be sent to another process, which loads it once."""

    model: str
    weights: Path | None = None
    preprocess: str | None = None
    device: str = "cpu"

    def __call__(self) -> Network:
        return loaded(self)


@cache
def loaded(named: NamedNetwork) -> Network:
    network = load(named.model, weights=named.weights, preprocess=named.preprocess)
    network.network.to(named.device)
    return network


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A store and what fills it."""

    recipe: Recipe
    store: Store

    @classmethod
    def begin(
        cls,
        folder: str | Path,
        network: Callable[[], Network],
        dataset: Dataset,
        protocol: Protocol,
        *,
        here: Network | None = None,
        limit: int | None = None,
        part_size: int = PART_SIZE,
        command: str = "",
    ) -> Evaluation:
        """A new evaluation, or the one that was begun in this folder. `here` is the network, if it is loaded."""
        if part_size < 1:
            raise ConfigurationError(f"part_size must be 1 or more, got {part_size}")
        here = network() if here is None else here
        device = str(next((each.device for each in here.network.parameters()), "cpu"))
        manifest: Mapping[str, Any] = manifest_of(
            configuration_of(protocol, here, dataset, limit),
            part_size=part_size,
            categories=here.categories,
            environment=environment(device),
            command=command,
        )
        store = Store.create(folder, manifest)
        return cls(Recipe(network, dataset, protocol, store.manifest), store)

    def run(self, engine: Engine, chunks: Sequence[int], told: Told = nobody) -> Iterator[int]:
        """Has the chunks made and writes each as it comes; gives the number of each that is on the disk."""
        if chunks:
            for chunk, part in engine.parts(self.recipe, chunks, told):
                self.store.write(chunk, part)
                yield chunk
        export_chosen(self.store)
