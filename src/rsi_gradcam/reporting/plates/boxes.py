"""Box plots of one number per photo: a panel for each layer, a box for each method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rsi_gradcam.figures.sheet import INK, PALE
from rsi_gradcam.reporting.board import Board
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.study import Numbers, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SLANTED = 0.95  # inches, for names below the boxes
WHISKERS = (5, 95)  # percentiles
NOTE = (
    "Box: quartiles with the median; whiskers: 5th to 95th percentile; dots: the lowest and the highest photo. "
    "Neither high nor low is better."
)


@dataclass(frozen=True)
class Spread:
    """What a box shows."""

    low: float
    quartile: float
    median: float
    upper: float
    high: float
    ends: tuple[float, float]
    zeros: int
    count: int

    @classmethod
    def of(cls, values: Numbers) -> Spread:
        low, quartile, median, upper, high = np.percentile(values, (WHISKERS[0], 25, 50, 75, WHISKERS[1]))
        ends = float(values.min()), float(values.max())
        return cls(low, quartile, median, upper, high, ends, int((values == 0).sum()), len(values))


def box_plots(study: Study, column: str, title: str, y: str) -> Figure:
    """`column` of every map."""
    values = {key: found[~np.isnan(found)] for key, found in study.values(column).items()}
    board = Board(title, study.ground, (NOTE,), len(study.layers), panel(study), (SLANTED,))
    everything = np.concatenate([np.empty(0), *values.values()])
    for index, layer in enumerate(study.layers):
        there = [each for each in study.at(layer) if len(values[each.key])]
        axes = board.panel_at(0, index, study.layer_title(layer), "", y if index == 0 else "")
        scaled(axes, everything)
        for place, each in enumerate(there):
            draw_box(axes, place, each, Spread.of(values[each.key]))
        axes.set_xlim(-0.6, max(len(there), 1) - 0.4)
        named(axes, there)
    return board.figure


def panel(study: Study) -> tuple[float, float]:
    most = max((len(study.at(layer)) for layer in study.layers), default=1)
    return max(2.2, 0.42 * most + 0.4), 2.3


def draw_box(axes: Axes, place: int, series: Series, spread: Spread) -> None:
    style = series.style
    colour, thin = style.colour, 0.9 if series.control else 1.3
    stats = {
        "whislo": spread.low,
        "q1": spread.quartile,
        "med": spread.median,
        "q3": spread.upper,
        "whishi": spread.high,
        "fliers": spread.ends,
    }
    drawn = axes.bxp(
        [stats],
        positions=[place],
        widths=0.6,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": colour + "33", "edgecolor": colour, "linewidth": thin},
        medianprops={"color": colour, "linewidth": 1.3 * thin},
        whiskerprops={"color": colour, "linewidth": thin},
        capprops={"color": colour, "linewidth": thin},
        flierprops={"marker": "o", "markersize": 2, "markerfacecolor": colour, "markeredgewidth": 0},
    )
    for part in drawn["boxes"]:
        part.set_gid(f"{series.method}@{series.layer}")


def scaled(axes: Axes, values: Numbers) -> None:
    """The same scale in every panel: logarithmic where the values span more than two powers of ten.

    Then there is a place for 0 if there are such values.
    """
    positive = values[values > 0]
    if not len(positive) or positive.max() < 100 * np.percentile(positive, 5):
        rim = 0.04 * (np.ptp(values) or 1.0) if len(values) else 1.0
        axes.set_ylim(values.min(initial=0) - rim, values.max(initial=0) + rim)
        return
    if len(positive) == len(values):
        axes.set_yscale("log")
        axes.set_ylim(values.min() / 1.5, values.max() * 1.5)
        return
    floor = 10.0 ** np.floor(np.log10(max(np.percentile(positive, 1), positive.max() * 1e-14)))
    axes.set_yscale("symlog", linthresh=floor, linscale=0.4)
    axes.set_ylim(1.5 * values.min() - 0.15 * floor, values.max() * 1.5)


def named(axes: Axes, series: list[Series]) -> None:
    """Who each box is, slanted below it."""
    axes.set_xticks(range(len(series)), [each.title for each in series], rotation=35, ha="right", fontsize=7.5)
    for label, each in zip(axes.get_xticklabels(), series, strict=True):
        label.set_color(PALE if each.control else INK)
    axes.grid(visible=False, axis="x")
