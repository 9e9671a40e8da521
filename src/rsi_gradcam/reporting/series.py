"""Who is drawn, and how: a colour, a line and a marker for each, the same in every figure.

The colours are Okabe and Ito's, which colour-blind people tell apart; in grey print the lines and markers do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rsi_gradcam.methods.base import INPUT

Dashes = tuple[int, tuple[float, ...]]


@dataclass(frozen=True)
class Style:
    colour: str
    line: Dashes
    marker: str
    hatch: str = ""  # of bars
    width: float = 1.6


SOLID: Dashes = (0, ())
PAPERS = {  # the three that the paper compares always look the same
    "grad_cam": Style("#d55e00", (0, (5, 1.6)), "s", "///"),
    "integrated_grad_cam": Style("#009e73", (0, (6, 1.5, 1.2, 1.5)), "^", "..."),
    "rsi_grad_cam": Style("#0072b2", SOLID, "o"),
}
OTHERS = (
    Style("#aa4499", (0, (1.2, 1.2)), "D", "xxx"),
    Style("#b98500", (0, (8, 2)), "v", "\\\\\\"),
    Style("#3aa0d8", (0, (3, 1, 1, 1, 1, 1)), "P", "++"),
    Style("#222222", (0, (2.5, 2.5)), "X", "ooo"),
    Style("#882255", (0, (10, 2, 2, 2)), "<", "--"),
    Style("#6a8a22", (0, (1, 3)), ">", "|||"),
)
MUTED = tuple(
    Style(colour, (0, dashes), marker, width=0.9)
    for colour, dashes, marker in (
        ("#7d7d7d", (1, 1.5), "1"),
        ("#a3a3a3", (4, 2), "2"),
        ("#7d7d7d", (4, 1.5, 1, 1.5), "3"),
        ("#a3a3a3", (1, 3), "4"),
        ("#7d7d7d", (7, 2), "+"),
        ("#8f8f8f", (), "x"),
    )
)


@dataclass(frozen=True)
class Series:
    """A method or a control at one place: the rows of the store that go together."""

    method: str  # as in the store's column
    layer: str  # a module's path, or "input"
    title: str
    control: bool
    style: Style

    @property
    def at_input(self) -> bool:
        """It is the same beside every layer."""
        return self.layer == INPUT

    @property
    def key(self) -> tuple[str, str]:
        return self.method, self.layer


def all_series(configuration: Mapping[str, Any], present: Sequence[tuple[str, str]]) -> tuple[Series, ...]:
    """Those that the store has rows of, methods first, each in the order of the configuration."""
    methods = styled([each["name"] for each in configuration["methods"]])
    titles = {each["name"]: each["title"] for each in configuration["methods"]}
    controls = [each["name"] for each in configuration["controls"]]
    muted = {name: MUTED[index % len(MUTED)] for index, name in enumerate(controls)}
    order = {name: index for index, name in enumerate([*methods, *controls])}
    layers = {path: index for index, path in enumerate([INPUT, *configuration["layers"]])}
    known = sorted((each for each in present if each[0] in order), key=lambda each: (order[each[0]], layers[each[1]]))
    return tuple(
        Series(name, layer, titles.get(name) or control_title(name), name in muted, (methods | muted)[name])
        for name, layer in known
    )


def styled(methods: Sequence[str]) -> dict[str, Style]:
    """The paper's methods as always; the rest, and their variants, by their order."""
    left = iter(range(len(methods)))
    return {name: PAPERS.get(name) or OTHERS[next(left) % len(OTHERS)] for name in methods}


def control_title(name: str) -> str:
    """
    >>> control_title("centred_gaussian")
    'control: centred gaussian'
    """
    return f"control: {name.replace('_', ' ')}"
