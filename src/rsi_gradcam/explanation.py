"""A map and all that is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from torch import Tensor

from rsi_gradcam.heatmap import is_dark, normalise, upsample
from rsi_gradcam.methods.base import Method
from rsi_gradcam.targets.base import Target

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from PIL import Image
    from typing_extensions import Unpack

    from rsi_gradcam.figures.look import Look
    from rsi_gradcam.zoo.network import Network


@dataclass(frozen=True)
class Course:
    """The score along one image's path, at the points where the sweep looked."""

    alphas: tuple[float, ...]
    scores: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Forming:
    """One image's raw map as it forms: of the integral from the start of the path up to each of these points."""

    alphas: tuple[float, ...]
    maps: Tensor  # (points, h, w)


@dataclass(frozen=True, eq=False)
class Explanation:
    """The maps of one method at one layer for one target, for each image of the batch.

    Numbers that do not exist for the method, such as the residual of one without a path, are nan.
    """

    method: Method
    layer: str
    target: Target
    classes: tuple[int | None, ...]  # the class each image is explained for, where there is one
    raw: Tensor  # (batch, h, w) at the layer's resolution, not normalised
    signed: Tensor  # the same before its last ReLU, where the method has one
    weights: Tensor | None  # (batch, channels), where the method has such
    cancellation: Tensor  # |Σ_k w_k A^k| against Σ_k |w_k A^k|: 1, nothing cancels; near 0, all does
    size: tuple[int, int]  # the input's height and width
    score: Tensor  # y at the image
    baseline_score: Tensor  # y at the start of the path
    residual: Tensor  # Σ of all units' integrals − (score − baseline_score)
    is_cut: bool | None  # does every way through the network pass the layer? then residual → 0
    passes: Tensor  # forward passes of the model, of each image
    error: Tensor  # estimated mean absolute error of the heatmap, by too coarse a path
    tolerance: float | None  # what was asked for, if it was
    precision: str  # float32, or bfloat16 below the earliest layer
    epsilon: float  # of the normalisation
    course: tuple[Course, ...]  # the score along each image's path; empty without a path
    forming: tuple[Forming, ...] = ()  # each image's map along its path, where that was asked for

    @cached_property
    def heatmap(self) -> Tensor:
        """(batch, H, W) in [0, 1] at the input's size."""
        return upsample(self.normalised, self.size)

    @cached_property
    def normalised(self) -> Tensor:
        """(batch, h, w) in [0, 1] at the layer's resolution."""
        return normalise(self.method.shown(self.raw), self.epsilon)

    @property
    def converged(self) -> Tensor:
        """Whether each image's estimated error is within the tolerance; true where none was asked for.

        Never for a map that is not finite.
        """
        finite = self.signed.flatten(1).isfinite().all(1).cpu()
        return finite if self.tolerance is None else finite & (self.error <= self.tolerance)

    def is_dark(self, epsilon: float = 1e-8) -> Tensor:
        """Whether each map is a dark heatmap in the paper's sense."""
        return is_dark(self.raw, epsilon)

    def overlay(self, photo: Image.Image, row: int = 0, **look: Unpack[Look]) -> Image.Image:
        """The photo under one image's heatmap, in its own size; keywords as for `figures.overlay`."""
        from rsi_gradcam.figures import captions, overlay  # noqa: PLC0415

        captions.check_row(self, row)
        return overlay(photo, self.normalised[row], **look)

    def plot(
        self, photo: Image.Image | None = None, row: int = 0, *, network: Network | None = None, **look: Unpack[Look]
    ) -> Figure:
        """A titled matplotlib figure of one image's heatmap, over its photo if that is given: `figures.picture`."""
        from rsi_gradcam.figures import picture  # noqa: PLC0415

        return picture(photo, self, row=row, network=network, **look)

    def _repr_png_(self) -> bytes:
        from rsi_gradcam.figures import notebook  # noqa: PLC0415

        return notebook.as_png(self)

    def _repr_html_(self) -> str:
        from rsi_gradcam.figures import notebook  # noqa: PLC0415

        return notebook.as_html(self)

    def __repr__(self) -> str:
        scores = ", ".join(f"{value:.4g}" for value in self.score.tolist())
        return f"Explanation({self.method!r} at {self.layer!r}, {len(self.raw)} image(s), score {scores})"
