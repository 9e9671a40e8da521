"""Which photos an evaluation keeps: the paper's three filters, or all."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rsi_gradcam.datasets.base import Selection as Name
from rsi_gradcam.evaluation.funnel import LARGE_BOX, NO_BOX, SEVERAL_BOXES, WRONG_CLASS
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.whole_file import write_whole
from rsi_gradcam.images.box import Box, Size

CHOSEN = "chosen.csv"
COLUMNS = ("photo", "index", "label", "predicted", "category", "probability")


@dataclass(frozen=True)
class Selection:
    """ "paper": predicted right, one box, and that under half of the photo. A photo without label is never wrong."""

    name: Name = "paper"
    largest_box: float = 0.5  # of the photo's area; one that reaches it is left out

    def left_out(self, *, label: int | None, predicted: int, boxes: int, share: float | None) -> str:
        """By which filter, in the paper's order; "" if the photo is kept."""
        if self.name == "none":
            return ""
        if label is not None and label != predicted:
            return WRONG_CLASS
        if boxes != 1:
            return SEVERAL_BOXES if boxes else NO_BOX
        return LARGE_BOX if share is not None and share >= self.largest_box else ""


def share_of(boxes: Sequence[Box], size: Size) -> float | None:
    """The area of the union of the boxes / the area of the photo; None without boxes.

    >>> share_of([Box(0, 0, 2, 2), Box(1, 0, 3, 2)], (4, 4))
    0.375
    """
    if not boxes:
        return None
    seen = [box.within(Box.whole(size)) for box in boxes]
    x = sorted({edge for box in seen for edge in (box.left, box.right)})
    y = sorted({edge for box in seen for edge in (box.top, box.bottom)})
    covered = np.zeros((len(y) - 1, len(x) - 1), bool)  # a cell between each two edges
    for box in seen:
        covered[y.index(box.top) : y.index(box.bottom), x.index(box.left) : x.index(box.right)] = True
    area = float((np.diff(y)[:, None] * np.diff(x)[None] * covered).sum()) if covered.size else 0.0
    return area / (size[0] * size[1])


def export_chosen(store: Store) -> None:
    """The photos that were kept, as a CSV file beside the parts."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for batch in store.read((*COLUMNS, "left_out", "error"), kinds=("photo",)).to_batches():
        for row in batch.to_pylist():
            if not row["left_out"] and not row["error"]:
                writer.writerow(row[name] for name in COLUMNS)
    write_whole(store.folder / CHOSEN, text.getvalue().encode())
