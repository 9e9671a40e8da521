"""Baselines and paths as they can be typed: a name, and parameters in brackets, as `blur(sigma=5)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from rsi_gradcam import catalog, configured
from rsi_gradcam.baselines import Baseline, Black
from rsi_gradcam.cli.options import NO_NAMES
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.paths import Path

Thing = TypeVar("Thing")


def baseline(said: str | None) -> Baseline:
    """Nothing said: black."""
    return Black() if said is None else typed(catalog.baselines(), said, "baseline")


def path(said: str) -> Path:
    return typed(catalog.paths(), said, "path")


def typed(known: Mapping[str, type[Thing]], said: str, what: str) -> Thing:
    name, parameters = configured.parse(said)
    if name in known and name in NO_NAMES:
        raise ConfigurationError(f"{what} {name!r} is for Python only, since it is made of images or a function")
    choices = {each: kind for each, kind in known.items() if each not in NO_NAMES}
    kind = catalog.look_up(choices, name, what)
    made: Thing = configured.made(kind, said, parameters, {})
    return made
