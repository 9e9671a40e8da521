"""Which explanation goes into which row and column, and what each row and column is called."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.methods.base import INPUT
from rsi_gradcam.zoo.network import Network

Facet = Literal["method", "layer", "target"]
FACETS: tuple[Facet, ...] = ("method", "layer", "target")
Explanations = Mapping[tuple[object, ...], Explanation] | Iterable[Explanation]


@dataclass(frozen=True)
class Arrangement:
    """A table of explanations: one facet goes across, the others down; what is the same for all is the title."""

    explanations: tuple[Explanation, ...]
    across: Facet
    down: tuple[Facet, ...]
    same: tuple[Facet, ...]
    home: str  # the layer in whose row maps of the input stand as well

    @property
    def columns(self) -> list[Hashable]:
        return unique(self.place(each)[1] for each in self.explanations)

    @property
    def rows(self) -> list[Hashable]:
        return unique(self.place(each)[0] for each in self.explanations)

    def place(self, explanation: Explanation) -> tuple[Hashable, Hashable]:
        """Its row and its column."""
        row = tuple(value(explanation, facet, self.home) for facet in self.down)
        return row, value(explanation, self.across, self.home)

    def cells(self) -> dict[tuple[int, int], Explanation]:
        """By number of row and of column; where nothing was asked for, nothing is."""
        rows, columns = self.rows, self.columns
        placed = [(self.place(each), each) for each in self.explanations]
        return {(rows.index(row), columns.index(column)): each for (row, column), each in placed}

    def first(self, row: int | None = None, column: int | None = None) -> Explanation:
        """One that speaks for a row, a column or the whole: of a layer where there is one."""
        cells = self.cells()
        fitting = [cells[place] for place in sorted(cells) if row in (None, place[0]) and column in (None, place[1])]
        return min(fitting, key=lambda each: each.layer == INPUT)

    def aside(self, explanation: Explanation) -> bool:
        """Whether it lies at the input, but stands in a layer's row."""
        return explanation.layer == INPUT != self.home


def arranged(explanations: Explanations, across: Facet | None = None) -> Arrangement:
    """With `across` None, the first of method, layer and target of which there is more than one goes across."""
    if across not in (None, *FACETS):
        raise ConfigurationError(f"{across!r} cannot go across: {did_you_mean(str(across), FACETS)}")
    cells = tuple(explanations.values() if isinstance(explanations, Mapping) else explanations)
    if not cells:
        raise ConfigurationError("there is nothing to compare: give at least one explanation")
    home = home_of_input(cells, across)
    varying = [facet for facet in FACETS if len(unique(value(each, facet, home) for each in cells)) > 1]
    chosen: Facet = next(iter(varying), "method") if across is None else across
    down = tuple(facet for facet in varying if facet != chosen)
    return Arrangement(cells, chosen, down, tuple(facet for facet in FACETS if facet not in varying), home)


def home_of_input(explanations: Iterable[Explanation], across: Facet | None) -> str:
    """Methods that lie at the input have no layers to go down: beside others, theirs is the first row."""
    layers = unique(each.layer for each in explanations)
    methods = unique(each.method for each in explanations)
    beside = len(methods) > 1 and across in (None, "method")
    return next((str(layer) for layer in layers if layer != INPUT), INPUT) if beside else INPUT


def value(explanation: Explanation, facet: Facet, home: str = INPUT) -> Hashable:
    if facet == "target":
        return explanation.target, explanation.classes
    if facet == "method":
        return explanation.method
    return home if explanation.layer == INPUT else explanation.layer


def heading(explanation: Explanation, facets: Iterable[Facet], row: int, network: Network | None) -> str:
    """What an explanation is in these respects; the class comes first."""
    titles: dict[Facet, str] = {
        "target": captions.class_title(explanation, row, network),
        "method": captions.method_title(explanation.method),
        "layer": "input"
        if explanation.layer == INPUT
        else f"layer {captions.layer_title(explanation.layer, network)}",
    }
    return " · ".join(title for facet, title in titles.items() if facet in set(facets))


def unique(values: Iterable[Hashable]) -> list[Hashable]:
    return list(dict.fromkeys(values))
