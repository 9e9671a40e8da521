"""What measures: a network with a protocol, photo after photo. One for each process that takes part in a run."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from rsi_gradcam.datasets import Dataset
from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.evaluation.again import Others
from rsi_gradcam.evaluation.looking import Eye
from rsi_gradcam.evaluation.measuring import Subject
from rsi_gradcam.evaluation.picture import picture_shown
from rsi_gradcam.evaluation.protocol import Protocol
from rsi_gradcam.evaluation.reading import Shot, Unread, in_a_line, shots
from rsi_gradcam.evaluation.schema import Row, schema_of, table_of
from rsi_gradcam.evaluation.store import as_bytes
from rsi_gradcam.zoo import Network

Told = Callable[[list[Row]], None]  # hears of each photo's rows as they come


def nobody(rows: list[Row]) -> None:
    """Hears nothing."""


@dataclass(frozen=True)
class Recipe:
    """All that a process needs to take part in a run, small enough to be sent to it."""

    network: Callable[[], Network]  # called once in each process
    dataset: Dataset
    protocol: Protocol
    manifest: Mapping[str, Any]

    def photos_of(self, chunk: int) -> range:
        """The places in the data set of a chunk's photos."""
        size, count = self.manifest["part_size"], self.manifest["configuration"]["dataset"]["examples"]
        return range(chunk * size, min((chunk + 1) * size, count))


class Worker:
    """Makes parts. What it makes depends on the recipe alone: not on which parts it made before, or where."""

    def __init__(self, recipe: Recipe, network: Network | None = None) -> None:
        self.recipe = recipe
        self.network = recipe.network() if network is None else network
        configuration = recipe.manifest["configuration"]
        expected = configuration["network"]["weights_hash"]
        if self.network.weights_hash != expected:
            raise ConfigurationError(
                f"the network here is another: weights {self.network.weights_hash}, not {expected}"
            )
        self.eye = Eye(self.network.network, self.network, tuple(configuration["layers"]), recipe.protocol)
        self.schema = schema_of(recipe.manifest)

    @cached_property
    def others(self) -> Others:
        return Others(self.eye)

    @cached_property
    def ready(self) -> bool:
        self.eye.settle()
        return True

    def part(self, chunk: int) -> bytes:
        """The rows of a chunk, as a Parquet file."""
        return next(self.parts([chunk]))[1]

    def parts(self, chunks: Iterable[int], told: Told = nobody) -> Iterator[tuple[int, bytes]]:
        """Chunk after chunk, their photos read ahead of the network."""
        chunks = list(chunks)
        with threads(self.recipe.protocol.threads):
            assert self.ready
            indices = [index for chunk in chunks for index in self.recipe.photos_of(chunk)]
            photos = shots(indices, self.recipe.dataset, self.network.preprocess)
            for chunk in chunks:
                rows: list[Row] = []
                for _ in self.recipe.photos_of(chunk):
                    of_photo = self.rows(next(photos))
                    told(of_photo)
                    rows += of_photo
                yield chunk, as_bytes(table_of(rows, self.schema), self.schema)

    def rows(self, photo: Shot | Unread) -> list[Row]:
        """A photo's own row, then one for each of its maps; its own alone if it was left out, or failed."""
        begun = time.perf_counter()
        first = first_row(photo)
        if isinstance(photo, Unread):
            return [{**first, "error": photo.error}]
        try:
            subject = Subject.of(photo, self.eye, seed_of(self.recipe.protocol.seed, photo.example.name))
            first |= subject.known()
            maps = [] if subject.left_out else [{**first, **row} for row in subject.rows(lambda: self.others)]
        except MissingExtra:
            raise
        except Exception as error:  # whatever one photo does, the others go on
            return [{**first_row(photo), "error": in_a_line(error), "seconds": time.perf_counter() - begun}]
        return [{**first, "seconds": time.perf_counter() - begun}, *maps]


def first_row(photo: Shot | Unread) -> dict[str, Any]:
    """What is known of a photo before the network has seen it."""
    label = photo.example.label
    return {
        "photo": photo.example.name,
        "picture": picture_shown(photo.example),
        "index": photo.index,
        "kind": "photo",
        "method": "",
        "layer": "",
        "label": label if isinstance(label, int) else None,
        "boxes": len(photo.example.boxes),
        "box_share": photo.share if isinstance(photo, Shot) else None,
        "left_out": "",
        "error": "",
        "seconds": 0.0,
    }


def seed_of(seed: int, name: str) -> int:
    """Of one photo in a run: the same on every engine."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{name}".encode()).digest()[:8], "big") >> 1


@contextmanager
def threads(count: int) -> Iterator[None]:
    """Sums come out the same only with the same number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
