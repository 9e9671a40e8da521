"""What a store says of itself: the configuration that made it, by which two runs are told apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

FORMAT = 1
Manifest: TypeAlias = Mapping[str, Any]


def manifest_of(
    configuration: Mapping[str, Any],
    *,
    part_size: int,
    categories: Sequence[str],
    environment: Mapping[str, Any],
    command: str,
) -> dict[str, Any]:
    """The whole of it. Only the configuration decides what may be mixed."""
    return {
        "format": FORMAT,
        "hash": digest(configuration),
        "configuration": configuration,
        "part_size": part_size,
        "categories": list(categories),
        "environment": environment,
        "command": command,
    }


def canonical(configuration: Any) -> str:
    """The one JSON text of what is the same.

    >>> canonical({"b": (1, 2), "a": None})
    '{"a":null,"b":[1,2]}'
    """
    return json.dumps(configuration, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(configuration: Any) -> str:
    """SHA-256 of the canonical text."""
    return hashlib.sha256(canonical(configuration).encode()).hexdigest()


def difference(there: Any, here: Any) -> str | None:
    """The first place in which two configurations differ, and how, in a line; None where they do not.

    >>> difference({"explain": {"steps": 50}}, {"explain": {"steps": 25}})
    'explain.steps is 50 there and 25 here'
    """
    one, other = (json.loads(json.dumps(each)) for each in (there, here))
    return next(differences(one, other, ""), None)


def differences(there: Any, here: Any, place: str) -> Iterator[str]:
    """In the order in which they were written down; where the place has a name, by its name."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys([*there, *here]):
            yield from differences(there.get(key), here.get(key), f"{place}.{key}" if place else key)
    elif names_of(there) != names_of(here):
        yield f"{place} is {shown(names_of(there))} there and {shown(names_of(here))} here"
    elif isinstance(there, list) and isinstance(here, list):
        for index, (one, other) in enumerate(zip(there, here, strict=False)):
            name = one["name"] if isinstance(one, dict) and "name" in one else index
            yield from differences(one, other, f"{place}[{name}]")
        if len(there) != len(here):
            yield f"{place} has {len(there)} there and {len(here)} here"
    elif there != here or type(there) is not type(here):
        yield f"{place} is {shown(there)} there and {shown(here)} here"


def names_of(value: Any) -> Any:
    """Of a list of named things their names, of names for something the names; of all else nothing."""
    named = isinstance(value, list) and value and all(isinstance(one, dict) and "name" in one for one in value)
    return [one["name"] for one in value] if named else None


def shown(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return "nothing" if value is None else str(value)
