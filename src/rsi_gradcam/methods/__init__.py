"""The attribution methods, one per file; `base` says what a method is.

Each file's class can be imported from here: `from rsi_gradcam.methods import LayerCAM`. The files are found
by themselves, so that a new method is one new file.
"""

from __future__ import annotations

from typing import Any

from rsi_gradcam.methods.base import EndpointMethod, Method, ModelMethod, PathMethod, Scene

__all__ = ["EndpointMethod", "Method", "ModelMethod", "PathMethod", "Scene"]


def __getattr__(name: str) -> Any:
    from rsi_gradcam.catalog import methods  # noqa: PLC0415 - the catalog looks into this folder

    if not name.startswith("_"):
        for kind in methods().values():
            if kind.__name__ == name:
                return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
