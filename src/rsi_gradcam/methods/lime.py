"""LIME: a linear model of the score over which superpixels are shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor

from rsi_gradcam.errors import MissingExtra
from rsi_gradcam.heatmap import normalise
from rsi_gradcam.methods.base import Evidence, ModelMethod, Scene, check_evidence


@dataclass(frozen=True)
class LIME(ModelMethod):
    """The coefficients of a sparse linear model of y over which superpixels are shown, the others replaced
    by the baseline. Ribeiro et al. 2016; the sampling and the fit are Captum's, the superpixels scikit-image's.
    """

    name: ClassVar[str] = "lime"
    summary: ClassVar[str] = "a linear model of the score over superpixels (slow)"
    rectified: ClassVar[bool] = False
    requires: ClassVar[str | None] = "captum"

    superpixels: int = 50
    samples: int = 200
    seed: int = 0
    evidence: Evidence = "positive"

    def __post_init__(self) -> None:
        check_evidence(self.evidence)

    def localize(self, scene: Scene) -> tuple[Tensor, int]:
        return torch.stack([self.one(scene, row) for row in range(len(scene.x))]), 1 + self.samples

    def one(self, scene: Scene, row: int) -> Tensor:
        try:
            from captum.attr import Lime  # noqa: PLC0415 - an optional extra
        except ImportError as missing:
            raise MissingExtra("method lime", "captum") from missing
        image = scene.x[row : row + 1]
        regions = superpixels(image[0], self.superpixels).to(image.device)
        devices = [image.device] if image.device.type == "cuda" else []
        with torch.random.fork_rng(devices=devices), numpys_own_state():
            torch.manual_seed(self.seed)
            shares: Tensor = Lime(lambda inputs: score_rows(scene, inputs, row)).attribute(
                image,
                baselines=scene.baseline(row),
                feature_mask=regions[None, None],
                n_samples=self.samples,
                perturbations_per_eval=scene.batch_size,
            )
        return shares[0, 0].detach().to(image)


@contextmanager
def numpys_own_state() -> Iterator[None]:
    """scikit-learn draws from numpy's global generator, which is the user's."""
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)


def score_rows(scene: Scene, inputs: Tensor, row: int) -> Tensor:
    return scene.score(inputs, torch.full((len(inputs),), row, device=inputs.device))


def superpixels(image: Tensor, count: int) -> Tensor:
    """The number of the superpixel that each pixel lies in, from 0."""
    try:
        from skimage.segmentation import slic  # noqa: PLC0415 - an optional extra
    except ImportError as missing:
        raise MissingExtra("method lime", "captum") from missing
    pixels = normalise(image.float()).permute(1, 2, 0).cpu().numpy()
    regions: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = slic(pixels, n_segments=count, start_label=0)
    return torch.from_numpy(np.ascontiguousarray(regions))
