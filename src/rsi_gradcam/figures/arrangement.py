"""Which explanation goes into which row and column, and what each row and column is called."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.methods.base import INPUT, Method
from rsi_gradcam.targets import ThroughUnit, Unit
from rsi_gradcam.zoo.network import Network

Facet = Literal["method", "layer", "target"]
FACETS: tuple[Facet, ...] = ("method", "layer", "target")
Explanations = Mapping[tuple[object, ...], Explanation] | Iterable[Explanation]


class Home(NamedTuple):
    """Where those stand that have no layer, or no class, of their own."""

    layer: str = INPUT
    target: Hashable = None


@dataclass(frozen=True)
class Arrangement:
    """A table of explanations: one facet goes across, the others down; what is the same for all is the title."""

    explanations: tuple[Explanation, ...]
    across: Facet
    down: tuple[Facet, ...]
    same: tuple[Facet, ...]
    home: Home

    @property
    def columns(self) -> list[Hashable]:
        return in_order(self.place(each) for each in self.explanations)

    @property
    def rows(self) -> list[Hashable]:
        return in_order(self.place(each)[::-1] for each in self.explanations)

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
        return min(fitting, key=lambda each: (each.layer == INPUT, isinstance(each.target, Unit)))

    def asked(self, row: int, column: int) -> tuple[Method, str]:
        """The method and the layer that a cell is for, also if it is empty."""
        of_row, of_column = self.first(row=row), self.first(column=column)
        method = (of_column if self.across == "method" else of_row).method
        layer = value(of_column if self.across == "layer" else of_row, "layer", self.home)
        return method, str(layer)

    def aside(self, explanation: Explanation) -> bool:
        """Whether it lies at the input, but stands in a layer's row."""
        return explanation.layer == INPUT != self.home.layer


def arranged(explanations: Explanations, across: Facet | None = None) -> Arrangement:
    """With `across` None, the first of method, layer and target of which there is more than one goes across."""
    if across not in (None, *FACETS):
        raise ConfigurationError(f"{across!r} cannot go across: {did_you_mean(str(across), FACETS)}")
    cells = tuple(explanations.values() if isinstance(explanations, Mapping) else explanations)
    if not cells:
        raise ConfigurationError("there is nothing to compare: give at least one explanation")
    home = Home(home_of_input(cells, across), home_of_units(cells))
    varying = [facet for facet in FACETS if len(unique(value(each, facet, home) for each in cells)) > 1]
    chosen: Facet = next(iter(varying), "method") if across is None else across
    down = tuple(facet for facet in varying if facet != chosen)
    return Arrangement(cells, chosen, down, tuple(facet for facet in FACETS if facet not in varying), home)


def home_of_input(explanations: Iterable[Explanation], across: Facet | None) -> str:
    """Methods that lie at the input have no layers to go down: beside others, theirs is the first row."""
    layers = in_order((each.method, each.layer) for each in explanations)
    methods = unique(each.method for each in explanations)
    beside = len(methods) > 1 and across in (None, "method")
    return next((str(layer) for layer in layers if layer != INPUT), INPUT) if beside else INPUT


def home_of_units(explanations: Iterable[Explanation]) -> Hashable:
    """A neuron's method explains its own unit, whatever the class: beside others, it stands in the first row."""
    return next((target_of(each) for each in explanations if not isinstance(each.target, Unit)), None)


def target_of(explanation: Explanation) -> Hashable:
    """What is explained; of a class through a neuron, the class."""
    target = explanation.target
    return (target.of if isinstance(target, ThroughUnit) else target), explanation.classes


def value(explanation: Explanation, facet: Facet, home: Home) -> Hashable:
    if facet == "target":
        is_at_home = isinstance(explanation.target, Unit) and home.target is not None
        return home.target if is_at_home else target_of(explanation)
    if facet == "method":
        return explanation.method
    return home.layer if explanation.layer == INPUT else explanation.layer


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


def in_order(pairs: Iterable[tuple[Hashable, Hashable]]) -> list[Hashable]:
    """The second of each pair, once, as they follow each other where the most stand together: gaps change no order.

    >>> in_order([("cam", "last"), ("grad_cam", "first"), ("grad_cam", "last")])
    ['first', 'last']
    """
    lines: dict[Hashable, list[Hashable]] = {}
    for line, each in pairs:
        lines.setdefault(line, []).append(each)
    longest = sorted(lines.values(), key=lambda line: -len(unique(line)))
    return unique(each for line in longest for each in line)


def unique(values: Iterable[Hashable]) -> list[Hashable]:
    return list(dict.fromkeys(values))
