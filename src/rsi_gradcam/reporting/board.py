"""A sheet of ruled panels: a title and what it rests on above, a legend and small print below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rsi_gradcam.figures.course import ruled
from rsi_gradcam.figures.sheet import INK, PALE, Sheet, line_height, wrapped

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RIM, LEFT, BETWEEN, GAP = 0.15, 0.6, 0.25, 0.1  # inches: rim, room for ticks and label, gaps
TITLE, HEAD, NOTE, KEY = 11.0, 9.0, 7.5, 8.0  # sizes of type in points
SAMPLE = 0.5  # inches of a line in the legend, with what is around it
LETTER = 0.93  # small print is a little narrower than `wrapped` takes it for


@dataclass(frozen=True)
class Board:
    """Panels in rows and columns. All measures are in inches."""

    title: str
    ground: str  # what it rests on: network, data, photos
    notes: Sequence[str]
    columns: int
    panel: tuple[float, float] = (3.0, 1.9)  # of the data's rectangle
    under: Sequence[float] = (0.44,)  # room below the panels of each row, for ticks and label
    keys: Sequence[str] = ()  # what the legend will say
    narrow: float = 4.8  # the sheet is at least so wide
    sheet: Sheet = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sheet", Sheet.blank(self.width, self.height))
        self.sheet.lines(self.heading, RIM, RIM, TITLE, bold=True)
        self.sheet.lines(self.subtitle, RIM, RIM + line_height(TITLE) * len(self.heading), NOTE, colour=PALE)
        self.sheet.lines(self.small, RIM, self.height - RIM - line_height(NOTE) * len(self.small), NOTE, colour=PALE)

    @property
    def inside(self) -> float:
        return self.width - 2 * RIM

    @cached_property
    def width(self) -> float:
        return max(self.narrow, 2 * RIM + self.columns * (LEFT + self.panel[0]) + (self.columns - 1) * BETWEEN)

    @cached_property
    def heading(self) -> list[str]:
        return wrapped(self.title, TITLE, self.inside)

    @cached_property
    def subtitle(self) -> list[str]:
        return wrapped(self.ground, NOTE * LETTER, self.inside)

    @cached_property
    def small(self) -> list[str]:
        return [line for note in self.notes for line in wrapped(note, NOTE * LETTER, self.inside)]

    @property
    def top(self) -> float:
        """Where the panels begin."""
        return RIM + line_height(TITLE) * len(self.heading) + line_height(NOTE) * len(self.subtitle) + GAP

    def row_top(self, row: int) -> float:
        """Where a row begins; of one more than there are, where the last one ends."""
        heights = (line_height(HEAD) + self.panel[1] + under + GAP for under in self.under[:row])
        return self.top + sum(heights)

    @property
    def across(self) -> int:
        """Columns of the legend."""
        longest = max((len(key) for key in self.keys), default=1)
        fitting = int(self.inside / (SAMPLE + longest * 0.5 * KEY / 72))
        return min(max(1, fitting), max(1, len(self.keys)))

    @property
    def legend_height(self) -> float:
        lines = -(-len(self.keys) // self.across)
        return lines * line_height(KEY) * 1.2 + 2 * GAP if lines else 0.0

    @cached_property
    def height(self) -> float:
        notes = line_height(NOTE) * len(self.small)
        return self.row_top(len(self.under)) + self.legend_height + notes + RIM

    def panel_at(self, row: int, column: int, heading: str, x: str, y: str) -> Axes:
        """The panel of that place, ruled and labelled."""
        left = RIM + LEFT + column * (LEFT + self.panel[0] + BETWEEN)
        top = self.row_top(row)
        self.sheet.words(heading, left, top, HEAD, bold=True)
        axes = self.sheet.axes(left, top + line_height(HEAD) + GAP / 2, self.panel[0], self.panel[1] - GAP / 2)
        ruled(axes, x, y)
        return axes

    def legend(self, artists: Mapping[str, Artist]) -> None:
        """What each line is, below the panels."""
        bottom = RIM + line_height(NOTE) * len(self.small) + GAP
        self.sheet.figure.legend(
            list(artists.values()),
            list(artists),
            loc="lower left",
            bbox_to_anchor=(RIM / self.width, bottom / self.height),
            ncols=self.across,
            fontsize=KEY,
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            handlelength=2.6,
            columnspacing=1.2,
            labelspacing=0.35,
            labelcolor=INK,
        )

    @property
    def figure(self) -> Figure:
        return self.sheet.figure
