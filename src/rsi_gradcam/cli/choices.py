"""What a person chose, in their own words: each field is the option of the same name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

Score = Literal["probability", "softmax", "logit", "log_probability", "margin"]
Preset = Literal["paper"]
Measured = Literal["paper", "none"]
MetricPreset = Literal["paper", "pytorch-grad-cam", "torchcam", "quantus", "xplique"]
Kept = Literal["paper", "none"]
Where = Literal["local", "ray"]
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


@dataclass(frozen=True)
class EvaluationChoice(Choice):
    """What is measured, and how. Nothing said of methods, layers or metrics: the usual ones."""

    methods: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    score: Score | None = None
    baseline: str = "black"
    path: str = "straight"
    steps: int | None = None
    tolerance: float | None = None
    max_passes: int | None = None
    preset: Measured = "paper"
    metrics: tuple[str, ...] = ()
    metric_preset: MetricPreset = "paper"
    controls: bool = True
    select: Kept | None = None
    seed: int = 0


@dataclass(frozen=True)
class RunChoice(Choice):
    """Which part of the work is done, and where."""

    limit: int | None = None
    shard: str | None = None
    engine: Where = "local"
    part_size: int = 8
    threads: int | None = None
    retry: bool = False
    ray_address: str | None = None
