"""The metrics of maps, one per file; `base` says what a metric is.

Each file's class can be imported from here: `from rsi_gradcam.metrics import Energy`. The files are found by
themselves, so that a new metric is one new file.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, get_args

from rsi_gradcam.catalog import entries, look_up
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.metrics.base import Metric, Preset, Probe, Seen

__all__ = ["PAPER", "Metric", "Preset", "Probe", "Seen", "by_name", "catalogue", "chosen"]

PAPER = ("energy", "overlap", "average_drop", "darkness", "intensity")


@cache
def catalogue() -> Mapping[str, type[Metric]]:
    """Every metric by its name."""
    return entries(sys.modules[__name__], Metric)  # type: ignore[type-abstract]


def by_name(name: str, **parameters: object) -> Metric:
    """A metric by its name, with its conventions as they are set."""
    kind = look_up(catalogue(), name, "metric")
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for parameter in parameters:
        if parameter not in known:
            hint = did_you_mean(parameter, known) if known else "it has none"
            raise ConfigurationError(f"{name} has no convention {parameter!r}: {hint}")
    return kind(**parameters)


def chosen(names: Sequence[str] | None = None, preset: Preset = "paper") -> tuple[Metric, ...]:
    """The metrics of these names, the paper's if there are none, or all where one is "all".

    A metric that the preset says nothing of keeps its own conventions.
    """
    if preset not in get_args(Preset):
        raise ConfigurationError(f"{preset!r} is no preset of metrics: {did_you_mean(preset, get_args(Preset))}")
    if isinstance(names, str):
        names = [names]
    wanted = PAPER if names is None else tuple(catalogue()) if "all" in names else dict.fromkeys(names)
    if not wanted:
        raise ConfigurationError(
            "metrics must be a list of one or more names, got none: leave it out for the paper's"
        )
    kinds = {name: look_up(catalogue(), name, "metric") for name in wanted}
    return tuple(by_name(name, **kind.presets.get(preset, {})) for name, kind in kinds.items())


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        for kind in catalogue().values():
            if kind.__name__ == name:
                return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
