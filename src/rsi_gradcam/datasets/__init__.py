"""Data sets: photos with labels and boxes, one reader per file; `base` says what a data set is."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path

from rsi_gradcam.catalog import entries, look_up
from rsi_gradcam.datasets.base import Dataset, Example, Selection
from rsi_gradcam.datasets.guess import guessed
from rsi_gradcam.errors import ConfigurationError, did_you_mean

__all__ = ["Dataset", "Example", "Selection", "by_name", "catalogue", "opened"]


@cache
def catalogue() -> Mapping[str, type[Dataset]]:
    """Every kind of data set by its name."""
    return entries(sys.modules[__name__], Dataset)  # type: ignore[type-abstract]


def by_name(name: str, **parameters: object) -> Dataset:
    """A data set by the name of its kind, with its fields. A mosaic's source may be said as `opened` takes it."""
    kind = look_up(catalogue(), name, "data set")
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            raise ConfigurationError(f"{name} has no field {parameter!r}: {did_you_mean(parameter, known)}")
    needed = [each for each, field in known.items() if field.default is MISSING and each not in parameters]
    if needed:
        raise ConfigurationError(f"{name} needs its {needed[0]}: say it as {name}:PATH")
    return kind(**{each: fitting(each, value, known[each].default) for each, value in parameters.items()})


def fitting(field: str, value: object, usual: object) -> object:
    """The value as the field takes it, where it was read from a line: a split 2007 is a word."""
    if isinstance(usual, bool) and not isinstance(value, bool):
        raise ConfigurationError(f"{field} is true or false, got {value!r}")
    if field == "source" and isinstance(value, str | os.PathLike):
        return opened(value)
    return str(value) if isinstance(usual, str) or usual is MISSING else value


def opened(said: str | os.PathLike[str], **options: object) -> Dataset:
    """A data set as a person says it: "mosaic", "voc:FOLDER", or a path alone, of which the kind is guessed.

    `options` are the kind's other fields. "mosaic:…" is made of any data set that is said after it.
    """
    said = os.fspath(said)
    name, colon, where = said.partition(":")
    there = Path(said).expanduser()
    if name not in catalogue() or (not colon and there.exists()):
        if colon and not there.exists():
            raise ConfigurationError(f"{name!r} is no kind of data set: {did_you_mean(name, catalogue())}")
        name = guessed(there)
        return by_name(name, **{place(name): there}, **options)
    if not where:
        return by_name(name, **options)
    return by_name(name, **{place(name): where if name == "mosaic" else Path(where).expanduser()}, **options)


def place(name: str) -> str:
    """The field that says where it is: the kind's first."""
    return fields(catalogue()[name])[0].name  # type: ignore[arg-type]
