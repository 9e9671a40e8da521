"""A thing by its name and its parameters in one text: `rsi_grad_cam(units=relu, rule=right)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from rsi_gradcam.errors import ConfigurationError, did_you_mean

WORDS = {"true": True, "false": False, "none": None}
FORM = re.compile(r"\s*(?P<name>\w+)\s*(?:\((?P<inside>.*)\))?\s*", re.DOTALL)


def split(text: str) -> list[str]:
    """The parts between commas, but for those inside brackets and quotes.

    >>> split("grad_cam, rsi_grad_cam(units=relu, rule=right)")
    ['grad_cam', 'rsi_grad_cam(units=relu, rule=right)']
    """
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote or letter in "'\"":
            quote = "" if letter == quote else quote or letter
        else:
            depth += (letter in "([") - (letter in ")]")
        if letter == "," and not quote and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """Name and parameters.

    >>> parse("rsi_grad_cam(units=relu, positive_gradients=True)")
    ('rsi_grad_cam', {'units': 'relu', 'positive_gradients': True})
    """
    form = FORM.fullmatch(text)
    if form is None:
        return text, {}
    parameters: dict[str, Any] = {}
    for part in split(form["inside"] or ""):
        name, equals, value = (each.strip() for each in part.partition("="))
        if not equals or not name.isidentifier() or not value:
            raise ConfigurationError(f"{text!r} has {part!r} where name=value is expected")
        if name in parameters:
            raise ConfigurationError(f"{text!r} says {name} twice")
        parameters[name] = plain(value)
    return form["name"], parameters


def plain(value: str) -> Any:
    """A number, a truth value, something in quotes, a tuple of these; else the word itself."""
    if value.lower() in WORDS:
        return WORDS[value.lower()]
    try:
        found = ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value
    return tuple(found) if isinstance(found, list) else found


def made(kind: type, said: str, parameters: Mapping[str, Any], usual: Mapping[str, Any]) -> Any:
    """The thing with these parameters, and the usual ones for those that were not said."""
    known = {field.name: field.default for field in fields(kind) if field.init}
    for name, value in parameters.items():
        if name not in known:
            raise ConfigurationError(f"{said!r}: there is no {name!r}, {hint(name, known)}")
        if isinstance(known[name], bool) and not isinstance(value, bool):
            raise ConfigurationError(f"{said!r}: {name} is true or false, got {value!r}")
        if is_number(known[name]) and not is_number(value):
            raise ConfigurationError(f"{said!r}: {name} is a number, got {value!r}")
    return kind(**{**usual, **parameters})


def hint(name: str, known: Iterable[str]) -> str:
    return did_you_mean(name, known) if list(known) else "it has no parameters"


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def canonical(thing: Any, usual: Any) -> str:
    """Its name, with those parameters that are not as usual, in the order of its fields."""
    said = {
        field.name: getattr(thing, field.name)
        for field in fields(thing)
        if field.init and getattr(thing, field.name) != getattr(usual, field.name)
    }
    inside = ", ".join(f"{name}={shown(value)}" for name, value in said.items())
    return f"{thing.name}({inside})" if said else str(thing.name)


def shown(value: object) -> str:
    """As it would be typed: a word without quotes where it stays that word."""
    return (
        value
        if isinstance(value, str) and value and plain(value) == value and split(value) == [value]
        else repr(value)
    )
