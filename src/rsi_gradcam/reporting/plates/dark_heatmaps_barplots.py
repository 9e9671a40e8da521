"""How many maps vanish, and how sure the network was of those photos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rsi_gradcam.figures.sheet import INK
from rsi_gradcam.reporting.board import Board
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.study import Numbers, Study

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COUNT = "dark heatmaps, lower is better"
UNDER = 0.44  # inches, for ticks and label
LEAST = 0.6  # where the logarithmic axis begins: 1 is still seen
NOTE = (
    "Dark: max − min of the raw map is below ε. Above each bar: the average probability p of the photos whose maps "
    "are dark."
)


@dataclass(frozen=True)
class Dark:
    """Of one method at one layer, for each ε: how many maps are dark, and the average p of their photos."""

    counts: tuple[int, ...]
    averages: tuple[float, ...]

    @classmethod
    def of(cls, dark: Numbers, p: Numbers) -> Dark:
        """`dark` (photos, ε) is 1 where the map is dark."""
        each = [p[column == 1] for column in dark.T]
        return cls(tuple(map(len, each)), tuple(float(np.mean(found)) if len(found) else np.nan for found in each))


@dataclass(frozen=True)
class DarkHeatmapsBarplots(Plate):
    """fig. dark-heatmaps-barplots."""

    name: ClassVar[str] = "dark_heatmaps_barplots"
    label: ClassVar[str] = "dark-heatmaps-barplots"
    summary: ClassVar[str] = "dark heatmaps by ε, with the average p of their photos"

    def missing(self, study: Study) -> str:
        return study.lacks("darkness")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        caption = "How many heatmaps are dark, by the ε of the normalisation, and how sure the network was of them."
        return (Drawn(self.label, caption, bar_plots(study)),)


def counted(study: Study) -> tuple[tuple[float, ...], Mapping[tuple[str, str], Dark]]:
    """The ε that were measured, from the largest, and what is dark at each."""
    epsilons, dark = study.dark()
    p = study.values("probability")
    order = np.argsort(epsilons)[::-1]
    return tuple(epsilons[i] for i in order), {key: Dark.of(found[:, order], p[key]) for key, found in dark.items()}


def bar_plots(study: Study) -> Figure:
    epsilons, dark = counted(study)
    bars = max((len(methods(study, layer)) for layer in study.layers), default=1)
    width = max(3.6, 0.135 * len(epsilons) * (bars + 1))
    there = [each for layer in study.layers for each in study.at(layer)]
    shown = dict.fromkeys(each.title for each in there if not each.control or any(dark[each.key].counts))
    under = (UNDER,) * len(study.layers)
    board = Board("Dark heatmaps", study.ground, (NOTE,), 1, (width, 1.8), under, list(shown))
    keys: dict[str, Artist] = {}
    top = max((count for found in dark.values() for count in found.counts), default=0)
    for index, layer in enumerate(study.layers):
        axes = board.panel_at(index, 0, study.layer_title(layer), "ε of the normalisation", COUNT)
        axes.set_yscale("log")
        axes.set_ylim(LEAST, max(top, 1) * 12)
        axes.tick_params(axis="y", which="minor", labelleft=False)
        axes.set_xticks(range(len(epsilons)), [power(each) for each in epsilons])
        axes.grid(visible=False, axis="x")
        for place, each in enumerate(methods(study, layer)):
            keys[each.title] = draw_bars(axes, place, bars, each, dark[each.key])
        for each in study.at(layer):
            if each.control:
                (keys[each.title],) = draw_marks(axes, each, dark[each.key])
    board.legend({title: keys[title] for title in shown})
    return board.figure


def methods(study: Study, layer: str) -> list[Series]:
    return [each for each in study.at(layer) if not each.control]


def draw_bars(axes: Axes, place: int, bars: int, series: Series, dark: Dark) -> Artist:
    """Its place is among so many bars for each ε; one of them, for the legend."""
    thick = 0.84 / bars
    left = np.arange(len(dark.counts)) - 0.42 + (place + 0.5) * thick
    style = series.style
    drawn = axes.bar(
        left,
        dark.counts,
        0.92 * thick,
        label=series.title,
        facecolor=style.colour + "cc",
        edgecolor="white",
        hatch=style.hatch,
        linewidth=0,
        zorder=2,
    )
    for x, count, average in zip(left, dark.counts, dark.averages, strict=True):
        if count:
            axes.text(x, 1.12 * count, f"p {average:.3f}", size=6, color=INK, rotation=90, ha="center", va="bottom")
        else:
            axes.text(x, LEAST * 1.08, "0", size=6, color=style.colour, ha="center", va="bottom")
    found: Artist = drawn[0]
    return found


def draw_marks(axes: Axes, series: Series, dark: Dark) -> Sequence[Artist]:
    """A control's counts, without bars: it is there to compare, and no rival."""
    counts = np.array([np.nan if count == 0 else count for count in dark.counts])
    style = series.style
    found: Sequence[Artist] = axes.plot(
        np.arange(len(counts)),
        counts,
        marker=style.marker,
        color=style.colour,
        linestyle="none",
        markersize=5,
        label=series.title,
        zorder=3,
    )
    return found


def power(epsilon: float) -> str:
    """
    >>> power(1e-8), power(0.0), power(0.5)
    ('10⁻⁸', '0', '0.5')
    """
    exponent = round(np.log10(epsilon)) if epsilon > 0 else 0
    if epsilon <= 0 or not np.isclose(epsilon, 10.0**exponent):
        return f"{epsilon:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
