"""Curves of methods and controls in a panel: a line each, what is uncertain behind it, controls in grey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rsi_gradcam.reporting.board import Board
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.study import Numbers, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


def draw_line(axes: Axes, series: Series, x: Numbers, y: Numbers, *, marks: bool = False) -> Line2D:
    """`marks` puts about eight markers on it, for print without colours."""
    style = series.style
    every = max(1, len(x) // 8)
    (line,) = axes.plot(
        x,
        y,
        color=style.colour,
        linestyle=style.line,
        linewidth=style.width,
        marker=style.marker if marks and not series.control else None,
        markevery=every,
        markersize=4,
        zorder=2 if series.control else 3,
        gid=f"{series.method}@{series.layer}",
    )
    found: Line2D = line
    return found


def draw_band(axes: Axes, series: Series, x: Numbers, low: Numbers, high: Numbers) -> None:
    """The interval behind a method's line; controls have none drawn."""
    if not series.control:
        axes.fill_between(x, low, high, color=series.style.colour, alpha=0.16, linewidth=0, zorder=1)


def draw_bins(axes: Axes, series: Series, x: Numbers, y: Numbers, low: Numbers, high: Numbers) -> None:
    """A marker for each bin with its interval, in the method's colour; a control's is grey and small."""
    style = series.style
    axes.errorbar(
        x,
        y,
        yerr=None if series.control else np.maximum(np.stack([y - low, high - y]), 0),
        color=style.colour,
        linestyle="none",
        marker=style.marker,
        markersize=3.5 if series.control else 4,
        elinewidth=0.9,
        capsize=1.5,
        capthick=0.9,
        zorder=2 if series.control else 3,
        gid=f"bins:{series.method}@{series.layer}",
    )


def legend(board: Board, axes: Axes, drawn: Mapping[str, Series]) -> None:
    """A line of each kind with its marker."""
    board.legend({title: sample(axes, each) for title, each in drawn.items()})


def sample(axes: Axes, series: Series) -> Line2D:
    """A line without points, for the legend."""
    style = series.style
    (line,) = axes.plot(
        [], [], color=style.colour, linestyle=style.line, linewidth=style.width, marker=style.marker, markersize=4
    )
    found: Line2D = line
    return found


def all_drawn(study: Study, layers: Sequence[str]) -> dict[str, Series]:
    """Who is in these layers' panels, each once."""
    return {each.title: each for layer in layers for each in study.at(layer)}
