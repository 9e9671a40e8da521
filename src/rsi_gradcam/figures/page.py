"""Where everything in a comparison goes, in inches from the upper left corner, and what is written there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.figures.arrangement import Arrangement, heading
from rsi_gradcam.figures.sheet import ALARM, PALE, Sheet, line_height, wrapped
from rsi_gradcam.zoo.network import Network

SIDE = 1.75  # of a picture's longer side
NARROW = 1.15  # a column is at least so wide, for its heading
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

    @cached_property
    def lefts(self) -> list[float]:
        """Of the columns."""
        start = RIM + (self.column + GUTTER if self.beside else 0)
        return [start + index * (self.column + GAP) for index in range(len(self.table.columns))]

    @property
    def column(self) -> float:
        """The width of a column, without the gap."""
        return max(self.cell[0], NARROW)

    @cached_property
    def width(self) -> float:
        return self.lefts[-1] + self.column + BAR + RIM

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
        return [wrapped(text, HEAD, self.width - self.lefts[0] - RIM) for text in texts]

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
        return [(text, PALE) for text in (*where, *([joined] if fits else said))] + [(text, ALARM) for text in wrong]

    @cached_property
    def heads(self) -> float:
        """Where the columns' headings begin."""
        return RIM + (line_height(TITLE) * len(self.title) + GAP if self.title else 0)

    @cached_property
    def tops(self) -> list[float]:
        """Of the rows, where their pictures begin."""
        top = self.heads + line_height(HEAD) * max(map(len, self.columns), default=0) + GAP / 2
        tops = []
        for index, title in enumerate(self.rows):
            top += line_height(HEAD) * len(title) + GAP / 2
            tops.append(top)
            top = self.under(top) + self.small_print(index) + GAP
        return tops

    def under(self, top: float) -> float:
        """Where the small print begins, below pictures that begin at `top`."""
        return top + self.stacked * (self.cell[1] + GAP / 2)

    def small_print(self, row: int) -> float:
        return line_height(NOTE) * max(len(notes) for place, notes in self.notes.items() if place[0] == row)

    def levels(self, row: int) -> list[float]:
        """The upper edges of the pictures in a cell of that row."""
        return [self.tops[row] + index * (self.cell[1] + GAP / 2) for index in range(self.stacked)]

    @cached_property
    def height(self) -> float:
        last = len(self.tops) - 1
        table = self.under(self.tops[last]) + self.small_print(last)
        return max(table, self.under_photo + line_height(HEAD) * len(self.legend)) + RIM

    @property
    def under_photo(self) -> float:
        return self.tops[0] + self.cell[1] + GAP

    @cached_property
    def legend(self) -> list[str]:
        """The classes that the rows are about, for under the photo."""
        if not self.beside or "target" not in self.table.down:
            return []
        names = {heading(each, ["target"], self.row, self.network): None for each in self.table.explanations}
        return [text for name in names for text in wrapped(name, HEAD, self.column)]


def write(sheet: Sheet, page: Page) -> None:
    """All the words of the page."""
    sheet.lines(page.title, RIM, RIM, TITLE, bold=True)
    for left, lines in zip(page.lefts, page.columns, strict=False):
        sheet.lines(lines, left, page.heads, HEAD, bold=True)
    for top, lines in zip(page.tops, page.rows, strict=True):
        sheet.lines(lines, page.lefts[0], top - line_height(HEAD) * len(lines), HEAD)
    for (row, column), notes in page.notes.items():
        for index, (text, colour) in enumerate(notes):
            top = page.under(page.tops[row]) + index * line_height(NOTE)
            sheet.words(text, page.lefts[column], top, NOTE, colour=colour)
    sheet.lines(page.legend, RIM, page.under_photo, HEAD)
