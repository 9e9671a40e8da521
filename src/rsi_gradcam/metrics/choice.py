"""A convention that is one of a few words, checked where it enters."""

from __future__ import annotations

from typing import Any, get_args

from rsi_gradcam.errors import ConfigurationError, did_you_mean


def check_choice(field: str, value: object, kind: Any) -> None:
    """ConfigurationError unless the value is one of the Literal's."""
    known = get_args(kind)
    if value not in known:
        raise ConfigurationError(f"{field} {value!r} is not known: {did_you_mean(str(value), known)}")
