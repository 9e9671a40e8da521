"""A tiny network, a data set that is drawn, and evaluations of them that take no time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import torch
from PIL import Image

from rsi_gradcam import zoo
from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.errors import ImageError
from rsi_gradcam.evaluation.engines.local import Local
from rsi_gradcam.evaluation.protocol import Protocol, protocol
from rsi_gradcam.evaluation.running import Evaluation
from rsi_gradcam.evaluation.schema import NOT_COMPARED
from rsi_gradcam.evaluation.selection import Selection
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.worker import Worker
from rsi_gradcam.images import Preprocess
from rsi_gradcam.images.box import Box
from tests.networks import plain

LAYERS = ("features.4", "features.5")
CATEGORIES = ("ant", "bee", "cat", "dog", "elk")
SIZE = (24, 20)  # of the photos


@cache
def network(seed: int = 0) -> zoo.Network:
    torch.manual_seed(seed)
    module = plain()
    for parameter in module.parameters():
        parameter.data *= 2  # so that not all photos are of one class
    return zoo.adopt(module, Preprocess((16, 16), "squash"), CATEGORIES, name="small")


def predicted(index: int) -> int:
    """What the network sees in a photo of the data set."""
    photo, own = Drawn().photo(Example(f"{index:03d}.png")), network()
    with torch.inference_mode():
        return int(own.network(own.preprocess(photo)[None]).argmax())


@dataclass(frozen=True)
class Drawn(Dataset):
    """Photos of noise. `labels` and `boxes` are repeated as often as is needed."""

    count: int = 10
    labels: tuple[int | str | None, ...] = (None,)
    boxes: tuple[tuple[Box, ...], ...] = ((Box(3, 2, 12, 11),),)
    broken: tuple[int, ...] = ()

    name: ClassVar[str] = "drawn"
    summary: ClassVar[str] = "noise"

    def examples(self) -> list[Example]:
        return [
            Example(f"{i:03d}.png", self.labels[i % len(self.labels)], self.boxes[i % len(self.boxes)])
            for i in range(self.count)
        ]

    def photo(self, example: Example) -> Image.Image:
        index = int(example.name[:3])
        if index in self.broken:
            raise ImageError(f"{example.name} is\nbroken")
        coarse = np.random.default_rng(index).integers(0, 256, (5, 6, 3), np.uint8)
        return Image.fromarray(coarse).resize(SIZE, Image.Resampling.BICUBIC)


def small_protocol(**said: Any) -> Protocol:
    usual: dict[str, Any] = {"layers": LAYERS, "steps": 4, "selection": Selection("none")}
    return protocol(**{**usual, **said})


def begun(folder: Path, dataset: Dataset | None = None, part_size: int = 3, **said: Any) -> Evaluation:
    return Evaluation.begin(folder, network, dataset or Drawn(), small_protocol(**said), part_size=part_size)


def finished(folder: Path, dataset: Dataset | None = None, part_size: int = 3, **said: Any) -> Store:
    evaluation = begun(folder, dataset, part_size, **said)
    assert list(evaluation.run(Local(), evaluation.store.missing())) is not None
    return evaluation.store


def worker(folder: Path, dataset: Dataset | None = None, **said: Any) -> Worker:
    return Worker(begun(folder, dataset, **said).recipe)


def everything(store: Store) -> pa.Table:
    """All rows with all columns that are to be the same each time."""
    return store.read(
        [name for name in store.schema.names if name not in NOT_COMPARED], ("photo", "method", "control")
    )


def rows_of(store: Store, **wanted: Any) -> list[dict[str, Any]]:
    table = store.read(store.schema.names, ("photo", "method", "control")).to_pylist()
    return [row for row in table if all(row[name] == value for name, value in wanted.items())]
