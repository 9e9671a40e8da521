"""The connected parts of regions, and the boxes around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rsi_gradcam.errors import MissingExtra


@dataclass(frozen=True, eq=False)
class Components:
    """The parts of all planes, in the order of their planes and in it of their first pixels."""

    planes: np.ndarray  # (parts,): which plane each lies in
    boxes: np.ndarray  # (parts, 4): left, top, right, bottom edges
    sizes: np.ndarray  # (parts,): pixels


def components(regions: np.ndarray) -> Components:
    """The parts of (planes, height, width) bool; pixels hang together by sides and by corners, within a plane.

    Runs of pixels along the rows are what is connected: there are few where regions are smooth.
    """
    planes, height, width = regions.shape
    rows, stride = height + 1, width + 2  # blank rows and columns between, so that what is apart stays so
    padded = np.zeros((planes, rows, stride), dtype=bool)
    padded[:, :height, 1:-1] = regions
    flat = padded.ravel()
    turns = np.flatnonzero(flat[1:] != flat[:-1]) + 1
    starts, stops = turns[::2], turns[1::2]
    labels = connected(starts, stops, stride)
    order = np.argsort(labels, kind="stable")
    firsts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    row, left = np.divmod(starts[order], stride)
    right = stops[order] % stride
    if not len(firsts):
        return Components(firsts, np.zeros((0, 4)), firsts)
    boxes = (
        np.minimum.reduceat(left, firsts) - 1,
        np.minimum.reduceat(row, firsts) % rows,
        np.maximum.reduceat(right, firsts) - 1,
        np.maximum.reduceat(row, firsts) % rows + 1,
    )
    return Components(row[firsts] // rows, np.stack(boxes, 1).astype(float), np.add.reduceat(right - left, firsts))


def connected(starts: np.ndarray, stops: np.ndarray, stride: int) -> np.ndarray:
    """Which part each run belongs to, numbered as they begin.

    A run touches those of the next row that begin no later than it stops, and stop no sooner than it begins.
    """
    try:
        from scipy.sparse import coo_array  # noqa: PLC0415
        from scipy.sparse.csgraph import connected_components  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("metric max_box_acc", "evaluation") from error
    first = np.searchsorted(stops, starts + stride, side="left")
    after = np.searchsorted(starts, stops + stride, side="right")
    touched = np.maximum(after - first, 0)
    above = np.repeat(np.arange(len(starts)), touched)
    below = np.arange(len(above)) + np.repeat(first - (touched.cumsum() - touched), touched)
    graph = coo_array((np.ones(len(above), dtype=bool), (above, below)), shape=(len(starts),) * 2)
    return np.asarray(connected_components(graph, directed=False)[1])


def box_iou(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(n, m): intersection over union of each of n boxes with each of m."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    both = np.clip(high - low, 0, None).prod(2)
    areas = [np.clip(boxes[:, 2:] - boxes[:, :2], 0, None).prod(1) for boxes in (one, other)]
    return np.asarray(both / (areas[0][:, None] + areas[1][None] - both))
