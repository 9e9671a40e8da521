"""What a method is: a frozen dataclass of parameters with one formula over tensors.

A method says which tensors its formula needs by the family it belongs to; the sweep fetches them.

    EndpointMethod    the activations and gradients at the image alone
    PathMethod        an integral along the path, and the activations at its two ends
    ModelMethod       the model itself, to be run on other inputs
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from torch import Tensor, nn
from torch.nn import functional

from rsi_gradcam.axes import CHANNEL
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.integrals import Integral
from rsi_gradcam.targets.base import Target

IMAGE = ""  # the site that is the image itself: where the network begins
INPUT = "input"  # how users call it

Evidence = Literal["positive", "signed", "absolute"]
Shape = tuple[int, int, int]


def check_evidence(evidence: str) -> None:
    if evidence not in get_args(Evidence):
        raise ConfigurationError(f"evidence {evidence!r} is none: {did_you_mean(evidence, get_args(Evidence))}")


def combine(w: Tensor, A: Tensor) -> Tensor:
    """Σ_k w_k A^k: w is (batch, channels), A is (batch, channels, height, width)."""
    return (w[..., None, None] * A).sum(CHANNEL)


def evident(raw: Tensor, evidence: Evidence) -> Tensor:
    """What of a raw map is shown."""
    if evidence == "absolute":
        return raw.abs()
    return raw if evidence == "signed" else functional.relu(raw)


class Method(ABC):
    """An attribution method. Its file's name is its name everywhere."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for lists
    paper: ClassVar[Mapping[str, object]] = {}  # parameters as the paper has them
    rectified: ClassVar[bool] = True  # is the map L = ReLU(signed)?
    walk: ClassVar[Literal["image", "layer"]] = "image"  # what is moved along the path
    evidence: Evidence = "positive"  # what of the raw map the heatmap shows

    def site(self, layer: str) -> str:
        """Where the map lies: at the layer, or at the input."""
        return layer

    def explained(self, target: Target, layer: str) -> Target:  # noqa: ARG002
        """What is explained, where the method has its own say in it."""
        return target

    def raw(self, signed: Tensor) -> Tensor:
        """The map as the formula has it, from the one before its last ReLU."""
        return functional.relu(signed) if self.rectified else signed

    def shown(self, raw: Tensor) -> Tensor:
        """What of the raw map becomes the heatmap."""
        return evident(raw, self.evidence)


class EndpointMethod(Method):
    """A method that looks at the image alone."""

    def weights(self, A: Tensor, G: Tensor) -> Tensor | None:  # noqa: ARG002
        """w_k of each channel, where the method has such."""
        return None

    @abstractmethod
    def localize(self, A: Tensor, G: Tensor) -> Tensor:
        """The map (batch, height, width) from A and G = ∂y/∂A."""


class PathMethod(Method):
    """A method that integrates along the path."""

    paper: ClassVar[Mapping[str, object]] = {"rule": "right"}

    @property
    @abstractmethod
    def integral(self) -> Integral:
        """What it integrates."""

    def weights(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor | None:  # noqa: ARG002, E741
        """w_k of each channel, where the method has such."""
        return None

    @abstractmethod
    def localize(self, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: E741
        """The map (batch, height, width) from the integral and the activations at image and baseline."""


@dataclass(frozen=True)
class Scene:
    """All that a method may use which runs the model itself, for a batch of images."""

    model: nn.Module
    x: Tensor  # batch channel height width
    layer: str
    A: Tensor  # the layer's activations
    G: Tensor  # ∂y/∂A
    output: object  # the model's, for x
    classes: tuple[int | None, ...]  # the class of each image, where the target has one
    y: Tensor  # the score of each image
    score: Callable[[Tensor, Tensor], Tensor]  # (inputs, rows: whose target) -> y of each input
    baseline: Callable[[int], Tensor]  # row -> its baseline (1, channel, height, width)
    batch_size: int  # inputs that may be run at once


class ModelMethod(Method):
    """A method that runs the model on inputs of its own."""

    requires: ClassVar[str | None] = None  # the extra that it needs

    @abstractmethod
    def localize(self, scene: Scene) -> tuple[Tensor, int]:
        """The map (batch, height, width), and how many passes of the model it took for each image."""
