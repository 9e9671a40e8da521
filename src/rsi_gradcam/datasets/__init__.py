"""Data sets: photos with labels and boxes, one reader per file; `base` says what a data set is."""

from __future__ import annotations

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
    """A data set by the name of its kind, with its fields."""
    kind = look_up(catalogue(), name, "data set")
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            raise ConfigurationError(f"{name} has no field {parameter!r}: {did_you_mean(parameter, known)}")
    needed = [each for each, field in known.items() if field.default is MISSING and each not in parameters]
    if needed:
        raise ConfigurationError(f"{name} needs its {needed[0]}: say it as {name}:PATH")
    return kind(**parameters)


def opened(said: str, **options: object) -> Dataset:
    """A data set as a person says it: "mosaic", "voc:FOLDER", or a path alone, of which the kind is guessed.

    `options` are the kind's other fields. "mosaic:…" is made of any data set that is said after it.
    """
    name, colon, where = said.partition(":")
    if not colon and name in catalogue() and not Path(said).exists():
        return by_name(name, **options)
    if name not in catalogue() or not colon:
        if colon and not Path(said).exists():
            raise ConfigurationError(f"{name!r} is no kind of data set: {did_you_mean(name, catalogue())}")
        return opened(f"{guessed(Path(said))}:{said}", **options)
    if not where:
        return by_name(name, **options)
    place = next(field.name for field in fields(catalogue()[name]))  # type: ignore[arg-type]
    return by_name(name, **{place: opened(where) if name == "mosaic" else where}, **options)
