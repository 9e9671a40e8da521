"""A sheet of pictures in rows and columns, with headings and small print. All measures are in inches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from PIL import Image

from rsi_gradcam.figures.colours import DEFAULT
from rsi_gradcam.figures.look import fitted
from rsi_gradcam.figures.sheet import PALE, Sheet, line_height, wrapped
from rsi_gradcam.reporting.board import LETTER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIDE, NARROW = 1.75, 1.3  # of a picture's longer side; a column is at least so wide
RIM, GAP, BAR = 0.15, 0.09, 0.38
TITLE, HEAD, NOTE = 11.0, 8.5, 7.0  # sizes of type in points


@dataclass(frozen=True)
class Cell:
    """A picture, and what is said under it."""

    image: Image.Image
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Tableau:
    """`rows` and `columns` are headings, empty where there is nothing to say."""

    title: str
    ground: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Mapping[tuple[int, int], Cell]
    notes: Sequence[str] = ()
    bar: bool = True  # is the heatmap's scale drawn?
    beside: bool = False  # is the first column the photo's alone? then rows' headings begin at the second
    narrow: float = 4.0
    sheet: Sheet = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sheet", Sheet.blank(self.width, self.height))
        self.write()
        for (row, column), cell in self.cells.items():
            left, top = self.lefts[column], self.tops[row]
            self.sheet.picture(cell.image, left, top, *fitted(cell.image.size, SIDE))
            self.sheet.lines(self.under(cell), left, top + self.heights[row] + GAP / 2, NOTE, colour=PALE)
        if self.bar:
            self.sheet.colour_bar(DEFAULT, self.lefts[-1] + self.column + GAP, self.tops[0], self.heights[0])

    @cached_property
    def column(self) -> float:
        """The width of one, without the gap."""
        return max(NARROW, *(fitted(cell.image.size, SIDE)[0] for cell in self.cells.values()))

    @cached_property
    def lefts(self) -> list[float]:
        return [RIM + index * (self.column + GAP) for index in range(len(self.columns))]

    @cached_property
    def width(self) -> float:
        return max(self.narrow, self.lefts[-1] + self.column + (BAR if self.bar else 0) + RIM)

    @cached_property
    def heading(self) -> list[str]:
        return wrapped(self.title, TITLE, self.width - 2 * RIM)

    @cached_property
    def heads(self) -> list[list[str]]:
        return [wrapped(text, HEAD, self.column) for text in self.columns]

    @cached_property
    def subtitle(self) -> list[str]:
        return wrapped(self.ground, NOTE * LETTER, self.width - 2 * RIM)

    @cached_property
    def small(self) -> list[str]:
        return [line for note in self.notes for line in wrapped(note, NOTE * LETTER, self.width - 2 * RIM)]

    def under(self, cell: Cell) -> list[str]:
        return [line for note in cell.notes for line in wrapped(note, NOTE * LETTER, self.column)]

    @cached_property
    def heights(self) -> list[float]:
        """Of the rows' pictures."""
        return [
            max(fitted(cell.image.size, SIDE)[1] for place, cell in self.cells.items() if place[0] == row)
            for row in range(len(self.rows))
        ]

    @cached_property
    def first(self) -> float:
        """Where the columns' headings begin."""
        return RIM + line_height(TITLE) * len(self.heading) + line_height(NOTE) * len(self.subtitle) + GAP

    @cached_property
    def tops(self) -> list[float]:
        """Of the rows' pictures, and at last where all of them end."""
        top = self.first + line_height(HEAD) * max(map(len, self.heads))
        tops = []
        for row, text in enumerate(self.rows):
            top += (line_height(HEAD) if text else 0.0) + GAP / 2
            tops.append(top)
            lines = max(len(self.under(cell)) for place, cell in self.cells.items() if place[0] == row)
            top += self.heights[row] + GAP + lines * line_height(NOTE)
        return [*tops, top]

    @cached_property
    def height(self) -> float:
        return self.tops[-1] + GAP / 2 + line_height(NOTE) * len(self.small) + RIM

    def write(self) -> None:
        self.sheet.lines(self.heading, RIM, RIM, TITLE, bold=True)
        self.sheet.lines(self.subtitle, RIM, RIM + line_height(TITLE) * len(self.heading), NOTE, colour=PALE)
        for left, lines in zip(self.lefts, self.heads, strict=True):
            self.sheet.lines(lines, left, self.first, HEAD, bold=True)
        for top, text in zip(self.tops, self.rows, strict=False):
            self.sheet.words(text, self.lefts[int(self.beside)], top - line_height(HEAD) - GAP / 4, HEAD)
        self.sheet.lines(self.small, RIM, self.tops[-1] + GAP / 2, NOTE, colour=PALE)

    @property
    def figure(self) -> Figure:
        return self.sheet.figure
