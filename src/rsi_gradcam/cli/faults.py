"""Errors as a person at a terminal gets them: one line and an exit code."""

from __future__ import annotations

from typing import NamedTuple

from rsi_gradcam.errors import ImageError, RSIGradCAMError

FAILED = 1  # a photo or a file failed
WRONG_USE = 2


class Fault(NamedTuple):
    """What is said, and the exit code."""

    line: str
    code: int

    @classmethod
    def of(cls, error: Exception) -> Fault:
        text, code = told(error)
        return cls(f"error: {' '.join(text.split())}", code)


def told(error: Exception) -> tuple[str, int]:
    if callable(usage := getattr(error, "format_message", None)):  # Typer's own, whichever click it stands on
        return str(usage()), WRONG_USE
    if isinstance(error, ImageError):
        return str(error), FAILED
    if isinstance(error, RSIGradCAMError):
        return str(error), WRONG_USE
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'}: {error.strerror}", FAILED
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return "out of memory: take fewer layers or methods at once, or a later layer", FAILED
    why = str(error).splitlines()
    return f"{type(error).__name__}: {why[0] if why else 'no more is known'} (--debug shows where)", FAILED
