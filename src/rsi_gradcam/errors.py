"""Every error the library raises on purpose: what was expected, what came, what to do.

RSIGradCAMError
├── LayerError        the layer cannot carry a map, or is not there
├── TargetError       the target does not exist in the model's output
├── ShapeError        tensors that should fit do not
├── ModelError        the model is of a kind, or in a place, that cannot be explained
├── BaselineError     the baseline or path cannot be used with this image
├── ConfigurationError  options that contradict each other, or a value outside its range
├── DatasetError      a data set that is not there, or is not as its kind should be
├── ImageError        a file that is no readable photo
├── WeightsError      weights that are not here, or do not fit the network
└── MissingExtra      an optional dependency is not installed
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class RSIGradCAMError(Exception):
    """The root of the tree: catch it to catch them all."""


class LayerError(RSIGradCAMError, ValueError):
    """The layer is not there, or cannot carry a map."""


class TargetError(RSIGradCAMError, ValueError):
    """The target does not exist in the model's output."""


class ShapeError(RSIGradCAMError, ValueError):
    """Tensors that should fit do not."""


class ModelError(RSIGradCAMError, TypeError):
    """The model is of a kind, or in a place, that cannot be explained."""


class BaselineError(RSIGradCAMError, ValueError):
    """The baseline or the path cannot be used with this image."""


class ConfigurationError(RSIGradCAMError, ValueError):
    """Options that contradict each other, or a value outside its range."""


class DatasetError(RSIGradCAMError, ValueError):
    """A data set that is not there, or is not as its kind should be."""


class ImageError(RSIGradCAMError, ValueError):
    """A file that is no readable photo."""


class WeightsError(RSIGradCAMError, RuntimeError):
    """Weights that are not here, or do not fit the network."""


class MissingExtra(RSIGradCAMError, ImportError):  # noqa: N818 - reads as the fact it states
    """An optional dependency is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f'{what} needs the extra "{extra}": pip install "rsi-gradcam[{extra}]"')
        self.said = what, extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str]]:
        return MissingExtra, self.said


def did_you_mean(name: str, known: Iterable[str], most: int = 3) -> str:
    """The end of an error line: the names nearest to `name`, or all of a few.

    >>> did_you_mean("grad_cm", ["grad_cam", "cam", "lime"])
    'did you mean grad_cam, cam?'
    """
    known = list(known)
    near = difflib.get_close_matches(name, known, n=most, cutoff=0.5)
    if near:
        return f"did you mean {', '.join(near)}?"
    shown = ", ".join(known[:20])
    return f"there are: {shown}{', …' if len(known) > 20 else ''}"
