"""Controls: trivial maps beside which a method has to show what it is worth, one per file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from functools import cache

from rsi_gradcam.catalog import entries, look_up
from rsi_gradcam.controls.base import Control, View
from rsi_gradcam.errors import ConfigurationError, did_you_mean

__all__ = ["Control", "View", "by_name", "catalogue"]


@cache
def catalogue() -> Mapping[str, type[Control]]:
    """Every control by its name."""
    return entries(sys.modules[__name__], Control)  # type: ignore[type-abstract]


def by_name(name: str, **parameters: object) -> Control:
    """A control by its name, with its parameters where they are not as usual."""
    kind = look_up(catalogue(), name, "control")
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            hint = did_you_mean(parameter, known) if known else "it has none"
            raise ConfigurationError(f"the control {name} has no parameter {parameter!r}: {hint}")
    return kind(**parameters)
