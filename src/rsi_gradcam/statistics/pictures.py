"""Rows that show the same picture are not independent: they are drawn, and tested, together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Sums(NamedTuple):
    """Of each picture and column: the sum of its rows, and how many of them have a number."""

    totals: np.ndarray  # (pictures, columns)
    counts: np.ndarray  # (pictures, columns)

    @property
    def means(self) -> np.ndarray:
        """(columns,): over all rows that have a number; nan where none has."""
        counts = self.counts.sum(0)
        found: np.ndarray = np.where(counts == 0, np.nan, self.totals.sum(0) / np.where(counts == 0, 1, counts))
        return found


def by_picture(values: np.ndarray, pictures: np.ndarray | None = None) -> Sums:
    """Of rows (rows, columns), by the number of each row's picture; without, each row is a picture of its own."""
    there = ~np.isnan(values)
    totals, counts = np.where(there, values, 0.0), there.astype(np.float64)
    if pictures is None:
        return Sums(totals, counts)
    groups = int(pictures.max(initial=-1)) + 1
    return Sums(summed(totals, pictures, groups), summed(counts, pictures, groups))


def summed(rows: np.ndarray, groups: np.ndarray, count: int) -> np.ndarray:
    """(count, columns): the rows of each group added up."""
    found = [np.bincount(groups, column, count) for column in rows.T]
    return np.stack(found, 1) if found else np.zeros((count, 0))


def numbered(names: np.ndarray) -> np.ndarray:
    """0, 1, 2, … for names, alike for those that are alike, in the order in which they come."""
    _, first, which = np.unique(names, return_index=True, return_inverse=True)
    order = np.empty(len(first), np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    found: np.ndarray = order[which]
    return found


def picture_means(values: np.ndarray, pictures: np.ndarray | None = None) -> np.ndarray:
    """(pictures,): one number for each picture, nan where it has none: what a test may take as independent."""
    if pictures is None:
        return values
    totals, counts = by_picture(values[:, None], pictures)
    found: np.ndarray = np.where(counts == 0, np.nan, totals / np.where(counts == 0, 1, counts))[:, 0]
    return found
