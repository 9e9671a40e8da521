"""How far an evaluation is, in words: the funnel, what failed, what is still to do."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from rsi_gradcam.cli.telling import json_line
from rsi_gradcam.evaluation.plan import Shard
from rsi_gradcam.evaluation.store import Store

MOST_SHOWN = 5  # photos that failed


def tell_standing(folder: Path, *, json: bool) -> None:
    store = Store.open(folder)
    said = standing(store)
    if json:
        typer.echo(json_line(said))
        return
    for line in lines(said):
        typer.echo(line)


def standing(store: Store) -> dict[str, Any]:
    """In plain values."""
    configuration, missing = store.manifest["configuration"], store.missing()
    photos = store.read(("photo", "error"), kinds=("photo",))
    pairs = zip(photos["photo"].to_pylist(), photos["error"].to_pylist(), strict=True)
    failed = {photo: error for photo, error in pairs if error}
    return {
        "store": str(store.folder),
        "dataset": configuration["dataset"]["name"],
        "network": configuration["network"]["name"],
        "layers": list(configuration["layers"].values()),
        "methods": [each["name"] for each in configuration["methods"]],
        "metrics": [each["name"] for each in configuration["metrics"]],
        "hash": store.manifest["hash"],
        "examples": store.examples,
        "parts": store.chunks,
        "missing_parts": len(missing),
        "unfinished_shards": unfinished(missing, shards_of(shlex.join(sys.argv), store.manifest["command"])),
        "funnel": dict(store.funnel()),
        "failed": failed,
    }


def shards_of(*commands: str) -> int:
    """In how many shards the work is done: by the first command that says it, or else by the environment.

    >>> shards_of("rsi-gradcam evaluate run mosaic --shard 1/3"), shards_of("rsi-gradcam evaluate run mosaic")
    (3, 1)
    """
    said = [found[1] for each in commands if (found := re.search(r"--shard[ =](\d+/\d+)", each))]
    return (Shard.parse(said[0]) if said else Shard.of_environment()).count


def unfinished(missing: Sequence[int], shards: int) -> list[str]:
    """The shards whose parts are missing; none where there are no shards."""
    found = [Shard(number, shards) for number in range(1, shards + 1)] if shards > 1 else []
    return [f"{each.number}/{shards}" for each in found if any(map(each.has, missing))]


def whose(shards: Sequence[str]) -> str:
    """Of the missing parts, and what makes them."""
    if not shards:
        return ": the same command goes on"
    if len(shards) == 1:
        return f", all of shard {shards[0]}: its own command makes them"
    return f", of the shards {', '.join(shards)}: the command of each makes its own"


def lines(said: Mapping[str, Any]) -> Iterator[str]:
    funnel = said["funnel"]
    yield f"{said['dataset']} with {said['network']} at {', '.join(said['layers'])}: {', '.join(said['methods'])}"
    yield f"{funnel['photos']} of {said['examples']} photos done"
    yield "funnel: " + " → ".join(f"{count} {name}" for name, count in funnel.items() if name != "failed")
    for photo, error in list(said["failed"].items())[:MOST_SHOWN]:
        yield f"failed: {photo}: {error}"
    if len(said["failed"]) > MOST_SHOWN:
        yield f"failed: {len(said['failed']) - MOST_SHOWN} more"
    if said["failed"]:
        yield "photos that failed are tried once more with --retry"
    if said["missing_parts"]:
        yield f"{said['missing_parts']} of {said['parts']} parts are missing{whose(said['unfinished_shards'])}"
    else:
        yield f"all of it → {said['store']}"
