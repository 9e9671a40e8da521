"""On a Ray cluster: workers on any number of nodes, which may die; what they finish is written by whoever asks."""

from __future__ import annotations

import io
import logging
import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from rsi_gradcam.errors import ConfigurationError, MissingExtra, RSIGradCAMError
from rsi_gradcam.evaluation.engines.base import Engine
from rsi_gradcam.evaluation.worker import Recipe, Told, Worker, nobody

try:
    import ray
    import ray.data
except ImportError as error:
    raise MissingExtra("the engine ray", "ray") from error

QUEUED = 2  # chunks that an actor has at once: the one it works on, and the next
ROOM = 16 << 20  # bytes that a part may take: Ray Data lets no more chunks run than it has room for


@dataclass(frozen=True)
class OnRay(Engine):
    """The cluster at `address`, or the one that RAY_ADDRESS names, or else a Ray of our own on this machine.

    Ray Data starts a worker that died again, as often as need be, and gives it again what it had not finished.
    """

    name: ClassVar[str] = "ray"

    address: str | None = None
    gpus: int = 0  # for each worker

    def parts(self, recipe: Recipe, chunks: Sequence[int], told: Told) -> Iterator[tuple[int, bytes]]:
        with connected(self.address):
            threads = recipe.protocol.threads
            workers = min(len(chunks), self.workers(threads))
            asked = ray.data.from_items([{"chunk": chunk} for chunk in chunks], override_num_blocks=len(chunks))
            made = asked.map_batches(
                Measuring,
                fn_constructor_args=(recipe, Path.cwd()),
                batch_size=1,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(
                    min_size=1, max_size=workers, initial_size=workers, max_tasks_in_flight_per_actor=QUEUED
                ),
                num_cpus=threads,
                num_gpus=self.gpus,
            )
            made.context.target_max_block_size = ROOM
            made.context.enable_progress_bars = made.context.print_on_execution_start = False
            for done in made.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
                for row in done.to_pylist():
                    yield row["chunk"], finished(row, told)

    def workers(self, threads: int) -> int:
        """As many as find room on the nodes that are there."""
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        room = [int(node.get("CPU", 0) // threads) for node in nodes]
        if self.gpus:
            cards = [int(node.get("GPU", 0) // self.gpus) for node in nodes]
            room = [min(pair) for pair in zip(room, cards, strict=True)]
        if not any(room):
            asked = f"{threads} processors" + (f" and {self.gpus} graphics cards" if self.gpus else "")
            raise ConfigurationError(f"no node of the cluster has {asked}: take fewer --threads, or other nodes")
        return sum(room)


class Measuring:
    """An actor: it makes its worker once, and that holds the network."""

    def __init__(self, recipe: Recipe, folder: Path) -> None:
        self.recipe = recipe
        if folder.is_dir():
            os.chdir(folder)  # relative paths mean here what they mean to the asker

    @cached_property
    def worker(self) -> Worker:
        return Worker(self.recipe)

    def __call__(self, asked: pa.Table) -> pa.Table:
        """The part of a chunk, or the error that was raised on purpose: the asker raises it again."""
        (chunk,) = asked["chunk"].to_pylist()
        part, error = None, None
        try:
            part = self.worker.part(chunk)
        except RSIGradCAMError as raised:
            error = pickle.dumps(raised)
        return pa.table({"chunk": [chunk], "part": pa.array([part], BYTES), "error": pa.array([error], BYTES)})


BYTES = pa.large_binary()


def finished(row: dict[str, Any], told: Told) -> bytes:
    """The part, its photos told of."""
    if row["error"] is not None:
        raise pickle.loads(row["error"])
    part: bytes = row["part"]
    if told is not nobody:
        table = pq.read_table(io.BytesIO(part))
        for _, rows in groupby(table.drop_columns(["map"]).to_pylist(), itemgetter("index")):
            told(list(rows))
    return part


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """With Ray, which is let go of afterwards; one that is in use here already stays as it is."""
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    cluster = address or os.environ.get("RAY_ADDRESS")
    own: dict[str, Any] = {} if cluster else {"include_dashboard": False}
    try:
        ray.init(cluster or "local", log_to_driver=False, logging_level=logging.ERROR, **own)
    except (ConnectionError, ValueError) as error:
        raise ConfigurationError(f"no Ray cluster answers at {cluster}: {error}") from error
    quiet()
    try:
        yield
    finally:
        ray.shutdown()


def quiet() -> None:
    """Errors come to whoever asked; the file of Ray's session has all the rest. Others' handlers stay as they are."""
    for handler in logging.getLogger("ray.data").handlers:
        if isinstance(handler, logging.StreamHandler) and type(handler).__module__.startswith("ray."):
            handler.setLevel(logging.CRITICAL)
