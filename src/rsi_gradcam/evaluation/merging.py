"""One store of several of the same evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as pq

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.selection import export_chosen
from rsi_gradcam.evaluation.store import Store


def merge(folders: Sequence[str | Path], out: str | Path) -> Store:
    """Parts that several have are taken from the one in which fewest photos failed, else from the first."""
    stores = [Store.open(folder) for folder in folders]
    if not stores:
        raise ConfigurationError("merge needs one store or more, got none")
    for other in stores[1:]:
        other.check(stores[0].manifest)
        same_parts(stores[0], other)
    store = Store.create(out, stores[0].manifest)
    same_parts(stores[0], store)
    for chunk in range(store.chunks):
        having = [each for each in (store, *stores) if each.part(chunk).is_file()]
        if not having:
            continue
        best = having[0] if len(having) == 1 else min(having, key=lambda each: failures(each, chunk))
        if best is not store:
            store.write(chunk, best.part(chunk).read_bytes())
    export_chosen(store)
    return store


def same_parts(one: Store, other: Store) -> None:
    """An error where the chunks are not the same photos."""
    sizes = one.manifest["part_size"], other.manifest["part_size"]
    if sizes[0] != sizes[1]:
        raise ConfigurationError(
            f"{other.folder} has parts of {sizes[1]} photos, {one.folder} of {sizes[0]}: they must be equal"
        )


def failures(store: Store, chunk: int) -> int:
    errors = pq.read_table(store.part(chunk), columns=["error"])["error"].to_pylist()
    return sum(map(bool, errors))
