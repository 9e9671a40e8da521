"""Panels of a measure against the probability p of the explained class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rsi_gradcam.evaluation.summary.by_probability import ByProbability
from rsi_gradcam.reporting.board import Board
from rsi_gradcam.reporting.plates.courses import all_drawn, draw_bins, draw_line, legend
from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = "p, probability of the explained class"
BINS = "p, in bins"
Place = tuple[float, float]


@dataclass(frozen=True)
class Panel:
    """A measure at a layer: above by the rolling window, below in bins."""

    heading: str
    y: str
    layer: str
    courses: Mapping[tuple[str, str], ByProbability]

    def places(self, study: Study) -> list[Place]:
        """The bins in which there is anybody."""
        shown = [self.courses[each.key] for each in study.at(self.layer) if each.key in self.courses]
        return sorted({(one.low, one.high) for course in shown for one in course.bins if one.photos})


def against_panels(study: Study, title: str, panels: Sequence[Panel]) -> Figure:
    drawn = all_drawn(study, list(dict.fromkeys(panel.layer for panel in panels)))
    board = Board(title, study.ground, (note(panels),), len(panels), under=(0.4, 0.62), keys=list(drawn))
    drawn_in: dict[str, list[Axes]] = {}
    places = sorted({place for panel in panels for place in panel.places(study)})
    for column, panel in enumerate(panels):
        above = board.panel_at(0, column, panel.heading, P, panel.y)
        below = board.panel_at(1, column, "", BINS, panel.y)
        draw_rolling(above, study, panel)
        draw_in_bins(below, study, panel, places)
        drawn_in.setdefault(panel.y, []).extend([above, below])
        if column == 0:
            legend(board, above, drawn)
    for alike in drawn_in.values():
        low, high = zip(*(axes.get_ylim() for axes in alike), strict=True)
        for axes in alike:
            axes.set_ylim(min(low), max(high))
    return board.figure


def draw_rolling(axes: Axes, study: Study, panel: Panel) -> None:
    for each in study.at(panel.layer):
        if each.key in panel.courses:
            course = panel.courses[each.key]
            draw_line(axes, each, course.rolling.probability, course.rolling.mean)
    axes.set_xlim(right=1.0)


def draw_in_bins(axes: Axes, study: Study, panel: Panel, places: Sequence[Place]) -> None:
    """Methods side by side within a bin, so that no interval hides another."""
    there = [each for each in study.at(panel.layer) if each.key in panel.courses]
    methods = [each for each in there if not each.control]
    for each in there:
        aside = 0.0 if each.control else 0.8 * ((methods.index(each) + 0.5) / len(methods) - 0.5)
        bins = [one for one in panel.courses[each.key].bins if one.photos]
        x = np.array([places.index((one.low, one.high)) + aside for one in bins])
        y = np.array([one.mean for one in bins])
        ends = np.array([one.interval if one.interval.exists else (one.mean, one.mean) for one in bins])
        draw_bins(axes, each, x, y, ends[:, 0], ends[:, 1])
    axes.set_xticks(range(len(places)), [span(*place) for place in places], rotation=35, ha="right", fontsize=7)
    axes.grid(visible=False, axis="x")
    for edge in range(len(places) - 1):
        axes.axvline(edge + 0.5, color="#e4e4e4", linewidth=0.6, zorder=0)
    axes.set_xlim(-0.5, max(len(places), 1) - 0.5)


def span(low: float, high: float) -> str:
    """
    >>> span(0.9, 0.99), span(0.9999, 1.0), span(0.0, 0.1)
    ('0.9–0.99', '≥ 0.9999', '< 0.1')
    """
    if high == 1:
        return f"≥ {low:g}"
    return f"{low:g}–{high:g}" if low else f"< {high:g}"


def note(panels: Sequence[Panel]) -> str:
    window = max((course.rolling.window for panel in panels for course in panel.courses.values()), default=0)
    return (
        f"Above: means over a window of {window:,} photos that rolls along in the order of p, drawn at the window's "
        "mean p; neighbours share most of their photos. Below: bins that do not overlap, with 95% intervals."
    )
