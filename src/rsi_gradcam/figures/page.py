"""Where everything in a comparison goes, in inches from the upper left corner, and what is written there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.figures.arrangement import Arrangement, heading
from rsi_gradcam.figures.sheet import ALARM, PALE, Sheet, line_height, wrapped
from rsi_gradcam.figures.shown import CLIPPED, is_of_pixels
from rsi_gradcam.methods.base import Method
from rsi_gradcam.zoo.network import Network

SIDE = 1.75  # of a picture's longer side
NARROW = 1.15  # a column is at least so wide, for its heading
ACROSS = 6  # columns side by side; more go below
IMPOSSIBLE = "not possible here"
RIM, GAP, GUTTER, BAR = 0.12, 0.07, 0.16, 0.38
TITLE, HEAD, NOTE = 10.0, 8.5, 6.5  # sizes of type in points


@dataclass(frozen=True)
class Page:
    table: Arrangement
    row: int
    network: Network | None
    cell: tuple[float, float]  # width and height of a picture
    stacked: int  # pictures in a cell
    beside: bool  # is there a photo on the left?
    refused: Collection[tuple[Method, str]] = ()

    def left(self, column: int) -> float:
        """Of a column: after the last of a block, the next begins below."""
        start = RIM + (self.column + GUTTER if self.beside else 0)
        return start + column % ACROSS * (self.column + GAP)

    @property
    def column(self) -> float:
        """The width of a column, without the gap."""
        return max(self.cell[0], NARROW)

    @cached_property
    def blocks(self) -> list[range]:
        """The columns that stand side by side."""
        count = len(self.table.columns)
        return [range(first, min(first + ACROSS, count)) for first in range(0, count, ACROSS)]

    @cached_property
    def width(self) -> float:
        return self.left(len(self.blocks[0]) - 1) + self.column + BAR + RIM

    @cached_property
    def title(self) -> list[str]:
        """What is the same in every cell."""
        one = self.table.first()
        return wrapped(heading(one, self.table.same, self.row, self.network), TITLE, self.width - 2 * RIM)

    @cached_property
    def columns(self) -> list[list[str]]:
        """The headings of the columns, in lines; none where the title says it."""
        if self.table.across in self.table.same:
            return []
        ones = [self.table.first(column=index) for index in range(len(self.table.columns))]
        texts = [heading(one, [self.table.across], self.row, self.network) for one in ones]
        return [wrapped(text, HEAD, self.column) for text in texts]

    @cached_property
    def rows(self) -> list[list[str]]:
        """The headings of the rows, in lines; empty where the title says it."""
        ones = [self.table.first(row=index) for index in range(len(self.table.rows))]
        texts = [heading(one, self.table.down, self.row, self.network) for one in ones]
        return [wrapped(text, HEAD, self.width - self.left(0) - RIM) for text in texts]

    @cached_property
    def notes(self) -> dict[tuple[int, int], list[tuple[str, str]]]:
        """The small print under each cell, and its colour."""
        return {place: self.notes_of(each) for place, each in self.table.cells().items()}

    def notes_of(self, explanation: Explanation) -> list[tuple[str, str]]:
        said = captions.trust(explanation, self.row) or [captions.passes(explanation, self.row)]
        joined = " · ".join(said)
        fits = len(wrapped(joined, NOTE, self.column)) == 1
        wrong = wrapped(", ".join(captions.warnings(explanation, self.row)), NOTE, self.column)
        where = ["at the input"] if self.table.aside(explanation) else []
        drawn = wrapped(CLIPPED, NOTE, self.column) if is_of_pixels(explanation) else []
        pale = [*where, *([joined] if fits else said), *drawn]
        return [(text, PALE) for text in pale] + [(text, ALARM) for text in wrong]

    @cached_property
    def impossible(self) -> list[tuple[int, int]]:
        """The cells that stay empty because there can be no map."""
        places = product(range(len(self.table.rows)), range(len(self.table.columns)))
        return [place for place in places if place not in self.notes and self.table.asked(*place) in self.refused]

    @cached_property
    def levels_of(self) -> tuple[list[float], dict[tuple[int, int], float], float]:
        """Where each block's headings begin; where the pictures of each block and row do; and where all ends."""
        top = RIM + (line_height(TITLE) * len(self.title) + GAP if self.title else 0)
        heads, tops = [], {}
        for number, block in enumerate(self.blocks):
            heads.append(top)
            top += line_height(HEAD) * max((len(self.columns[each]) for each in block if self.columns), default=0)
            top += GAP / 2
            for row, title in enumerate(self.rows):
                top += line_height(HEAD) * len(title) + GAP / 2
                tops[number, row] = top
                top = self.under(top) + self.small_print(block, row) + GAP
        return heads, tops, top - GAP

    def head(self, column: int) -> float:
        """Where a column's heading begins."""
        return self.levels_of[0][column // ACROSS]

    def top(self, row: int, column: int) -> float:
        """Where a cell's pictures begin."""
        return self.levels_of[1][column // ACROSS, row]

    @property
    def first_top(self) -> float:
        return self.top(0, 0)

    @property
    def last_edge(self) -> float:
        """Where the last pictures end."""
        last = len(self.table.rows) - 1, len(self.table.columns) - 1
        return self.levels(*last)[-1] + self.cell[1]

    def under(self, top: float) -> float:
        """Where the small print begins, below pictures that begin at `top`."""
        return top + self.stacked * (self.cell[1] + GAP / 2)

    def small_print(self, block: range, row: int) -> float:
        return line_height(NOTE) * max(len(self.notes.get((row, column), ())) for column in block)

    def levels(self, row: int, column: int) -> list[float]:
        """The upper edges of the pictures in a cell."""
        return [self.top(row, column) + index * (self.cell[1] + GAP / 2) for index in range(self.stacked)]

    @cached_property
    def height(self) -> float:
        return max(self.levels_of[2], self.under_photo + line_height(HEAD) * len(self.legend)) + RIM

    @property
    def under_photo(self) -> float:
        return self.first_top + self.cell[1] + GAP

    @cached_property
    def legend(self) -> list[str]:
        """The classes that the rows are about, for under the photo."""
        if not self.beside or "target" not in self.table.down:
            return []
        ones = [self.table.first(row=index) for index in range(len(self.table.rows))]
        names = dict.fromkeys(heading(each, ["target"], self.row, self.network) for each in ones)
        return [text for name in names for text in wrapped(name, HEAD, self.column)]


def write(sheet: Sheet, page: Page) -> None:
    """All the words of the page."""
    sheet.lines(page.title, RIM, RIM, TITLE, bold=True)
    for column, lines in enumerate(page.columns):
        sheet.lines(lines, page.left(column), page.head(column), HEAD, bold=True)
    for block, (row, lines) in product(page.blocks, enumerate(page.rows)):
        sheet.lines(lines, page.left(0), page.top(row, block[0]) - line_height(HEAD) * len(lines), HEAD)
    for (row, column), notes in page.notes.items():
        for index, (text, colour) in enumerate(notes):
            top = page.under(page.top(row, column)) + index * line_height(NOTE)
            sheet.words(text, page.left(column), top, NOTE, colour=colour)
    for row, column in page.impossible:
        sheet.words(IMPOSSIBLE, page.left(column), page.top(row, column), NOTE, colour=PALE)
    sheet.lines(page.legend, RIM, page.under_photo, HEAD)
