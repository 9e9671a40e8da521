"""How the numbers are to be read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary.reading import Kept
from rsi_gradcam.statistics.bootstrap import Resampling
from rsi_gradcam.statistics.rolling import FEW, window_of


def notes_of(store: Store, kept: Kept, how: Resampling, comparisons: int) -> Iterator[str]:
    """Sentences, the plain ones that always hold first."""
    yield (
        f"intervals are of {100 * how.level:g} %, BCa over {how.resamples} resamples of "
        f"{kept.independent} pictures (seed {how.seed}); those of shares are Wilson's"
    )
    yield f"p is Wilcoxon's signed-rank test, corrected by Holm over {comparisons} comparisons; intervals are not"
    yield window(kept)
    if kept.pictures is not None:
        yield (
            f"{len(kept.names)} rows show {kept.independent} pictures: rows of one picture are drawn together, and "
            "tests take one mean for each"
        )
    if store.manifest["configuration"]["dataset"]["name"] == "mosaic":
        yield "mosaics are made of photos that recur: the intervals speak of more mosaics of the same photos"
    missing = len(store.missing())
    if missing:
        yield f"the run is not complete: {missing} of {store.chunks} parts are missing"


def window(kept: Kept) -> str:
    """How wide the rolling window is, and why."""
    photos = int((~np.isnan(kept.probability)).sum())
    why = "as in the paper" if photos >= FEW else f"a tenth of the photos, since they are fewer than {FEW}"
    return f"the rolling window over the probability has {window_of(photos)} photos, {why}"
