"""A store's numbers as arrays, a few columns at a time, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.picture import COLUMNS as PICTURE
from rsi_gradcam.evaluation.picture import picture_of
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary.measure import Measure, Place, ordered
from rsi_gradcam.statistics.pictures import numbered

RESIDENT = 128_000_000  # bytes of values that are in memory at once


@dataclass(frozen=True, eq=False)
class Kept:
    """The photos that were measured, in the data set's order."""

    names: list[str]
    shown: list[str]  # the picture of each
    probability: np.ndarray  # (photos,) of the class that is explained
    row_of: np.ndarray  # place in the data set → row here, −1 for those that are not

    @cached_property
    def pictures(self) -> np.ndarray | None:
        """(photos,): which picture each row shows; None where every row has its own."""
        pictures = numbered(np.array(self.shown))
        return pictures if len(pictures) and pictures.max() + 1 < len(pictures) else None

    @property
    def independent(self) -> int:
        """How many pictures there are."""
        return len(self.names) if self.pictures is None else int(self.pictures.max()) + 1


def kept_of(store: Store) -> Kept:
    """Photos that neither failed nor were left out."""
    names: list[str] = []
    shown: list[str] = []
    probability: list[float] = []
    row_of = np.full(store.examples, -1, np.int64)
    for batch in store.batches((*PICTURE, "index", "probability", "left_out", "error"), kinds=("photo",)):
        for row in batch.to_pylist():
            if not row["left_out"] and not row["error"]:
                row_of[row["index"]] = len(names)
                names.append(row["photo"])
                shown.append(picture_of(row))
                probability.append(np.nan if row["probability"] is None else row["probability"])
    if not names:
        raise ConfigurationError(f"{store.folder} holds no measured photo yet: `evaluate status` says how far it is")
    return Kept(names, shown, np.array(probability), row_of)


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows of the store: whose they are, and their values column by column."""

    photo: np.ndarray  # (rows,) row of the photo among those kept
    place: np.ndarray  # (rows,) number of the place
    columns: dict[str, np.ndarray]  # (rows,) or (rows, points), nan where there is no number


class Reader:
    """Goes through a store part by part, and gives every place it meets a number."""

    def __init__(self, store: Store, kept: Kept) -> None:
        self.store, self.kept = store, kept
        self.numbers: dict[Place, int] = {}

    def rows(self, columns: Sequence[str]) -> Iterator[Rows]:
        """Of the photos that were kept."""
        for batch in self.store.batches(("index", "kind", "method", "layer", *columns)):
            if not batch.num_rows:
                continue
            photo = self.kept.row_of[batch["index"].to_numpy()]
            named = zip(*(batch[name].to_pylist() for name in ("kind", "method", "layer")), strict=True)
            place = np.array([self.numbers.setdefault(Place(*one), len(self.numbers)) for one in named])
            there = photo >= 0
            found = {name: values_of(batch[name])[there] for name in columns}
            yield Rows(photo[there], place[there], found)

    def values(self, columns: Sequence[str]) -> dict[Place, np.ndarray]:
        """Of numbers: (photos, columns) for each place, in their order."""
        found: dict[int, np.ndarray] = {}
        for rows in self.rows(columns):
            table = np.stack([rows.columns[name] for name in columns], 1)
            for number in np.unique(rows.place):
                if number not in found:
                    found[number] = np.full((len(self.kept.names), len(columns)), np.nan)
                mine = rows.place == number
                found[number][rows.photo[mine]] = table[mine]
        return {place: found[self.numbers[place]] for place in self.places() if self.numbers[place] in found}

    def some(self, measures: Sequence[Measure]) -> Iterator[Sequence[Measure]]:
        """As many at a time as may be in memory."""
        left = list(measures)
        while left:
            at_once = max(1, RESIDENT // (8 * len(self.kept.names) * (len(self.numbers) or self.most)))
            yield left[:at_once]
            left = left[at_once:]

    def whole(self, widths: Mapping[str, int]) -> Iterator[tuple[Place, dict[str, np.ndarray]]]:
        """One place after the other with all its columns, (photos,) or, if wider than 1, (photos, width)."""
        photos = len(self.kept.names)
        at_once = max(1, RESIDENT // (8 * photos * sum(widths.values())))
        places = self.places()
        for start in range(0, len(places), at_once):
            some = places[start : start + at_once]
            found = {place: {name: blank(photos, width) for name, width in widths.items()} for place in some}
            for rows in self.rows(list(widths)):
                for place, columns in found.items():
                    mine = rows.place == self.numbers[place]
                    for name, values in columns.items():
                        if rows.columns[name].ndim == values.ndim:  # a curve that nobody has here is no curve
                            values[rows.photo[mine]] = rows.columns[name][mine]
            yield from found.items()

    def places(self) -> list[Place]:
        """Those that were met so far, in the order of the table."""
        return ordered(self.numbers, self.store.manifest["configuration"])

    @property
    def most(self) -> int:
        """So many places there can be."""
        said = self.store.manifest["configuration"]
        return max(1, (len(said["methods"]) + len(said["controls"])) * len(said["layers"]))


def blank(photos: int, width: int) -> np.ndarray:
    return np.full((photos, width) if width > 1 else photos, np.nan)


def values_of(column: Any) -> np.ndarray:
    """(rows,) of numbers, (rows, points) of curves; nan for null. A column that is null all over is (rows,)."""
    array = column.combine_chunks()
    if pa.types.is_boolean(column.type):
        array = array.cast(pa.float64())
    if not pa.types.is_list(column.type):
        found: np.ndarray = array.to_numpy(zero_copy_only=False).astype(np.float64)
        return found
    there = np.asarray(array.is_valid())
    curves = np.asarray(array.flatten(), np.float64)
    if not there.any():
        return np.full(len(there), np.nan)
    found = np.full((len(there), len(curves) // int(there.sum())), np.nan)
    found[there] = curves.reshape(-1, found.shape[1])
    return found
