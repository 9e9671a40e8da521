"""Stores as earlier versions wrote them."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow.parquet as pq

from rsi_gradcam.evaluation.store import Store

ADDED = ("picture", "dark")  # columns that came later


def older(store: Store, chunks: Iterable[int] | None = None) -> Store:
    """The store with all of its parts, or these, as they were before columns were added."""
    for chunk in store.done() if chunks is None else chunks:
        path = store.part(chunk)
        pq.write_table(pq.read_table(path).drop_columns(list(ADDED)), path)
    return store
