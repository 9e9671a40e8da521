"""The few things that every part of the report is written with. Whatever comes from a store is escaped here."""

from __future__ import annotations

import base64
import html
import math
from collections.abc import Iterable, Mapping, Sequence

NOTHING = 1e-15  # what is nearer to 0 was 0 before it was rounded


def escaped(text: object) -> str:
    """For text and for attributes in double quotes.

    >>> escaped('<b>"1" & 2</b>')
    '&lt;b&gt;&quot;1&quot; &amp; 2&lt;/b&gt;'
    """
    return html.escape(str(text), quote=True)


def data_uri(content: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def number(value: float | None, digits: int = 3) -> str:
    """
    >>> number(0.12345), number(-3e-9), number(None), number(12525), number(1.0)
    ('0.123', '−3.00e-09', '–', '12,525', '1.000')
    """
    if value is None or math.isnan(value):
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if abs(value) < NOTHING:
        said = f"{0:.{digits}f}"
    elif abs(value) < 10.0**-digits:
        said = f"{value:.{digits - 1}e}"
    else:
        said = f"{value:.{digits}f}"
    return said.replace("-", "−", 1) if said.startswith("-") else said


def percent(share: float | None) -> str:
    """
    >>> percent(0.9995), percent(0.4), percent(0.00012)
    ('99.95%', '40.0%', '0.012%')
    """
    if share is None or math.isnan(share):
        return "–"
    if 0 < share < 0.001:
        return f"{100 * share:.2g}%"
    if share > 0.999:
        return f"{100 * share:.5g}%"
    return f"{100 * share:.1f}%"


def definitions(terms: Mapping[str, str]) -> str:
    """Terms and what they are; the latter is markup already."""
    return (
        "<dl>"
        + "".join(f"<div><dt>{escaped(term)}</dt><dd>{said}</dd></div>" for term, said in terms.items())
        + "</dl>"
    )


def options(values: Iterable[tuple[str, str]]) -> str:
    """Of a select: value and what is read."""
    return "".join(f'<option value="{escaped(value)}">{escaped(said)}</option>' for value, said in values)


def table(heads: str, lines: str, more: str = "") -> str:
    """One that is scrolled where it is too wide; `more` are its attributes."""
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'<div class="scroll" tabindex="0"><table{more}>{head}<tbody>{lines}</tbody></table></div>'


def section(name: str, title: str, parts: Sequence[str]) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-title"><h2 id="{name}-title">{escaped(title)}</h2>'
        + "".join(parts)
        + "</section>"
    )
