"""What a person chose, in their own words: each field is the option of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

Score = Literal["probability", "softmax", "logit", "log_probability", "margin"]
Preset = Literal["paper"]
Show = Literal["overlay", "heatmap", "both"]
Preprocessing = Literal["imagenet", "keras_vgg"]


class Choice:
    """Options that belong together."""

    def arguments(self) -> Iterator[str]:
        """As they would be typed."""
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            for each in value if isinstance(value, tuple) else (value,):
                if each is not None:
                    yield from (f"--{field.name.replace('_', '-')}", str(each))


@dataclass(frozen=True)
class NetworkChoice(Choice):
    """Which network, and where it runs."""

    model: str
    weights: Path | None = None
    preprocess: Preprocessing | None = None
    device: str = "cpu"


@dataclass(frozen=True)
class MapChoice(Choice):
    """Which maps are made, and how."""

    method: tuple[str, ...]
    layer: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    score: Score | None = None
    baseline: str = "black"
    path: str = "straight"
    steps: int | None = None
    tolerance: float | None = None
    max_passes: int | None = None
    preset: Preset | None = None


@dataclass(frozen=True)
class PictureChoice(Choice):
    """How pictures look."""

    colours: str = "inferno"
    alpha: float = 0.7
    threshold: float | None = None


@dataclass(frozen=True)
class TableChoice(PictureChoice):
    """How pictures look that lie side by side."""

    show: Show = "overlay"
