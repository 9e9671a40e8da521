"""The run of `evaluate run`: names made things, the store opened, what is missing made."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import typer

from rsi_gradcam.cli.choices import EvaluationChoice, NetworkChoice, RunChoice
from rsi_gradcam.cli.evaluation_bar import evaluation_bar
from rsi_gradcam.cli.faults import FAILED
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.standing import tell_standing
from rsi_gradcam.configured import plain
from rsi_gradcam.datasets import Dataset, opened
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.engines.base import Engine
from rsi_gradcam.evaluation.engines.local import Local
from rsi_gradcam.evaluation.plan import Shard, pending
from rsi_gradcam.evaluation.protocol import METHODS, Protocol, protocol
from rsi_gradcam.evaluation.running import Evaluation, NamedNetwork
from rsi_gradcam.evaluation.schema import Row
from rsi_gradcam.evaluation.selection import Selection
from rsi_gradcam.evaluation.store import MANIFEST, Store
from rsi_gradcam.zoo import Network


@dataclass(frozen=True)
class Evaluating:
    """One run, as it was asked for."""

    data: str
    given: tuple[str, ...]
    network: NetworkChoice
    measure: EvaluationChoice
    work: RunChoice
    out: Path
    json: bool

    def run(self) -> None:
        shard = self.shard()
        dataset = opened(self.data, **fields_of(self.given))
        plan = self.protocol(dataset)
        choice = replace(self.network, device=shard.device(self.network.device))
        here = network_of(replace(choice, device=self.device_here(choice.device)))
        evaluation = self.begin(dataset, plan, choice, here)
        chunks = pending(evaluation.store, shard, retry=self.work.retry)
        if shard.by and not self.json:
            typer.echo(f"part {shard.number} of {shard.count}, as {shard.by} says")
        done, failed = self.measured(evaluation, self.engine(here), chunks)
        tell_standing(self.out, json=self.json)
        if done and failed == done:
            raise typer.Exit(FAILED)

    def shard(self) -> Shard:
        """Ray deals the work out itself, whatever the environment says."""
        if self.work.shard:
            return Shard.parse(self.work.shard)
        return Shard() if self.work.engine == "ray" else Shard.of_environment(os.environ)

    def device_here(self, name: str) -> str:
        """Ray's workers may have graphics cards where there is none here."""
        elsewhere = self.work.engine == "ray" and name.startswith("cuda") and not torch.cuda.is_available()
        return "cpu" if elsewhere else name

    def engine(self, here: Network) -> Engine:
        if self.work.engine == "local":
            return Local(here)
        from rsi_gradcam.evaluation.engines.on_ray import OnRay

        return OnRay(self.work.ray_address, gpus=int(self.network.device.startswith("cuda")))

    def protocol(self, dataset: Dataset) -> Protocol:
        measure = self.measure
        return protocol(
            measure.methods or METHODS,
            measure.layers,
            metric_names=measure.metrics or None,
            metric_preset=measure.metric_preset,
            with_controls=measure.controls,
            preset=measure.preset,
            steps=measure.steps,
            tolerance=measure.tolerance,
            max_passes=measure.max_passes,
            score=measure.score,
            baseline=measure.baseline,
            path=measure.path,
            selection=Selection(measure.select or dataset.selection),
            seed=measure.seed,
            threads=self.work.threads or threads_of(self.out),
        )

    def begin(self, dataset: Dataset, plan: Protocol, choice: NetworkChoice, here: Network) -> Evaluation:
        weights = None if choice.weights is None else choice.weights.absolute()
        return Evaluation.begin(
            self.out,
            NamedNetwork(choice.model, weights, choice.preprocess, choice.device),
            dataset,
            plan,
            here=here,
            limit=self.work.limit,
            part_size=self.work.part_size,
            command=shlex.join(["rsi-gradcam", *sys.argv[1:]]),
        )

    def measured(self, evaluation: Evaluation, engine: Engine, chunks: Sequence[int]) -> tuple[int, int]:
        """How many photos were done, and how many of them failed."""
        done = failed = 0
        total = sum(len(evaluation.recipe.photos_of(chunk)) for chunk in chunks)
        with evaluation_bar(total, evaluation.store.manifest) as bar:

            def told(rows: list[Row]) -> None:
                nonlocal done, failed
                done += 1
                failed += bool(rows[0]["error"])
                bar.add(rows)

            try:
                for _ in evaluation.run(engine, chunks, told):
                    pass
            except KeyboardInterrupt:
                typer.echo(f"broken off: what is done is kept in {self.out}, the same command goes on", err=True)
                raise
        return done, failed


def fields_of(given: Sequence[str]) -> dict[str, object]:
    """The data set's fields, from NAME=VALUE."""
    found: dict[str, object] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip().isidentifier():
            raise ConfigurationError(f"--with takes NAME=VALUE, as count=50, got {each!r}")
        found[name.strip()] = plain(value.strip())
    return found


def threads_of(out: Path) -> int:
    """The store's, where one is there: sums come out the same only with the same number."""
    if (out / MANIFEST).is_file():
        return int(Store.open(out).manifest["configuration"]["threads"])
    return torch.get_num_threads()
