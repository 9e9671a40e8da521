"""Which of the heatmaps that were scored are dark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rsi_gradcam.evaluation.summary.measure import DARKNESS, measures_of
from rsi_gradcam.evaluation.summary.pooled import configured
from rsi_gradcam.metrics.darkness import Darkness

DARK = "dark"


def dark_columns(configuration: Mapping[str, Any]) -> list[str]:
    """Where it is said: in a column of its own, and for rows that are older than that by the metric darkness.

    The metric has an ε of its own: it says nothing of the scored heatmaps where that is not the run's.
    """
    epsilon = float(configuration["explain"]["epsilon"])
    said = next((each for each in configuration["metrics"] if each["name"] == DARKNESS), None)
    metric = None if said is None else configured(said)
    if not isinstance(metric, Darkness) or (metric.epsilon, metric.below) != (epsilon, Darkness.below):
        return [DARK]
    numbers = (each.column for each in measures_of(configuration, [DARKNESS]) if not each.curve)
    return [DARK, *list(numbers)[:1]]


def scored_dark(said: np.ndarray) -> np.ndarray:
    """(photos,) from the columns (photos, columns): 1 if dark, 0 if not, nan where no column says it."""
    found: np.ndarray = said[:, 0]
    for column in said.T[1:]:
        found = np.where(np.isnan(found), column, found)
    return found
