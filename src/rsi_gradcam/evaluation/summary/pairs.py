"""The comparisons: method against method at the same layer, and every method against every control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from rsi_gradcam.evaluation.summary.measure import DARKNESS, Measure, Place
from rsi_gradcam.methods.base import INPUT
from rsi_gradcam.statistics.bootstrap import Bootstrap, Resampling
from rsi_gradcam.statistics.holm import holm
from rsi_gradcam.statistics.interval import Interval
from rsi_gradcam.statistics.paired import paired

ALPHA = 0.05
Outcome = Literal["first", "second", "higher", "lower", "none", "unclear", "unknown"]


@dataclass(frozen=True)
class Pair:
    """By how much the first is above the second, photo by photo, at a layer."""

    layer: str
    first: Place  # a method
    second: Place  # a method or a control; this one may lie at the input
    metric: str
    column: str
    better: str
    n: int
    difference: float  # mean of first − second
    interval: Interval
    effect: float  # rank-biserial
    p: float  # Wilcoxon's
    p_holm: float  # corrected for all comparisons of the table

    @property
    def outcome(self) -> Outcome:
        """Which is better, as far as one may say; where neither is, whether the first is higher or lower.

        A winner needs an interval that excludes 0, a corrected p below 5 %, and ranks that lean the same way.
        Where the interval holds 0 no difference was seen; what is left is unclear. Without an interval, as of one
        picture, it is unknown.
        """
        if not self.interval.exists:
            return "unknown"
        if self.interval.holds(0.0):
            return "none"
        if self.p_holm >= ALPHA or self.effect * self.difference <= 0:
            return "unclear"
        if self.better == "neither":
            return "higher" if self.difference > 0 else "lower"
        return "first" if (self.difference > 0) == (self.better == "higher") else "second"

    @property
    def even(self) -> bool:
        """Are both the same on every photo? Then there is nothing to be told."""
        return self.difference == 0 and (not self.interval.exists or self.interval == (0.0, 0.0))


def contests(places: Sequence[Place], bounds: Sequence[str]) -> list[tuple[str, int, int]]:
    """Layer and the places of both, methods before controls. Those that were told the boxes are not compared."""
    found = []
    for i, first in enumerate(places):
        for j, second in enumerate(places):
            rival = second.control and second.method not in bounds
            if first.control or not (rival or (not second.control and i < j)):
                continue
            if second.layer == first.layer or (second.control and second.layer == INPUT):
                found.append((first.layer, i, j))
    return found


def pairs_of(
    measure: Measure,
    values: np.ndarray,
    drawn: Bootstrap,
    places: Sequence[Place],
    bounds: Sequence[str],
    pictures: np.ndarray | None,
    how: Resampling,
) -> list[Pair]:
    """Of one measure. A control is no rival where neither more nor less is better, nor in darkness: it has no
    gradients that could vanish."""
    rivals = measure.better != "neither" and measure.metric != DARKNESS
    wanted = [each for each in contests(places, bounds) if rivals or not places[each[2]].control]
    found = paired(values, [(first, second) for _, first, second in wanted], pictures, how, drawn)
    named = (measure.metric, measure.column, measure.better)
    return [
        Pair(
            layer,
            places[first],
            places[second],
            *named,
            *(each.photos, each.difference, each.interval),
            each.effect,
            each.p,
            each.p,
        )
        for (layer, first, second), each in zip(wanted, found, strict=True)
        if each.photos
    ]


def corrected(pairs: Sequence[Pair]) -> list[Pair]:
    """With Holm's p over all of them."""
    raised = holm(np.array([each.p for each in pairs]))
    return [replace(each, p_holm=float(p)) for each, p in zip(pairs, raised, strict=True)]


def bounds_of(configuration: Mapping[str, Any]) -> list[str]:
    """The controls that look at the boxes."""
    return [each["name"] for each in configuration["controls"] if each["boxed"]]
