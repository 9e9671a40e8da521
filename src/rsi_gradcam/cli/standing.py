"""How far an evaluation is, in words: the funnel, what failed, what is still to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from rsi_gradcam.cli.telling import json_line
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
    configuration = store.manifest["configuration"]
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
        "missing_parts": len(store.missing()),
        "funnel": dict(store.funnel()),
        "failed": failed,
    }


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
        yield f"{said['missing_parts']} of {said['parts']} parts are missing: the same command goes on"
    else:
        yield f"all of it → {said['store']}"
