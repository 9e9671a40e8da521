"""What a person chose, in their own words: each field is the option of the same name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rsi_gradcam.errors import ConfigurationError

if TYPE_CHECKING:
    from rsi_gradcam.figures.look import Look

Score = Literal["probability", "softmax", "logit", "log_probability", "margin"]
Preset = Literal["paper"]
Measured = Literal["paper", "none"]
MetricPreset = Literal["paper", "pytorch-grad-cam", "torchcam", "quantus", "xplique"]
Kept = Literal["paper", "none"]
Where = Literal["local", "ray"]
Show = Literal["overlay", "heatmap", "both"]
Resize = Literal["squash", "crop"]
Preprocessing = Literal["imagenet", "keras_vgg"]


class Choice:
    """Options that belong together."""

    def arguments(self) -> Iterator[str]:
        """As they would be typed."""
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            for each in value if isinstance(value, tuple) else (value,):
                if each is True:
                    yield f"--{field.name}"
                elif each not in (None, False):
                    yield from (f"--{field.name.replace('_', '-')}", str(each))


@dataclass(frozen=True)
class NetworkChoice(Choice):
    """Which network, and where it runs."""

    model: str
    weights: Path | None = None
    preprocess: Preprocessing | None = None
    device: str = "cpu"
    resize: Resize | None = None


@dataclass(frozen=True)
class MapChoice(Choice):
    """Which maps are made, and how."""

    method: tuple[str, ...]
    layer: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    score: Score | None = None
    baseline: str | None = None
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
    box: tuple[str, ...] = ()

    def look(self) -> Look:
        """The keywords of `overlay`."""
        return {
            "colours": self.colours,
            "alpha": self.alpha,
            "threshold": self.threshold,
            "boxes": [box_of(text) for text in self.box],
        }


def box_of(text: str) -> tuple[float, float, float, float]:
    """A rectangle as it is typed."""
    try:
        left, top, right, bottom = (float(edge) for edge in text.split(","))
    except ValueError:
        left = top = right = bottom = math.nan
    if not (left < right and top < bottom):
        raise ConfigurationError(
            f"--box {text!r} is no rectangle: give xmin,ymin,xmax,ymax in the photo's pixels, as 10,20,110,220"
        )
    return left, top, right, bottom


@dataclass(frozen=True)
class MapPictureChoice(PictureChoice):
    """How the pictures of one map look, and which there are."""

    titled: bool = False


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
