"""Explanations made by hand, and photos whose every pixel is known."""

from __future__ import annotations

import math

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from rsi_gradcam import Course, Explanation, GradCAM, Probability, RSIGradCAM
from rsi_gradcam.images import Preprocess
from rsi_gradcam.methods.base import Method, PathMethod
from rsi_gradcam.targets import Target
from rsi_gradcam.zoo import Network

INPUT = (8, 8)
CATEGORIES = ("tiger cat", "Egyptian cat", "$5 bill")
NETWORK = Network(
    "toy", nn.Identity(), Preprocess(INPUT, "squash"), CATEGORIES, {"stage1": "blocks.0"}, "blocks.0", "none"
)


def explanation(
    raw: Tensor | None = None,
    method: Method | None = None,
    layer: str = "blocks.0",
    target: Target | None = None,
    category: int | None = 0,
    score: float = 0.393,
    residual: float = 0.01,
    error: float = 0.004,
    passes: int = 15,
    is_cut: bool = True,
) -> Explanation:
    raw = spot(4, 4, 1, 2) if raw is None else raw
    method = method or RSIGradCAM()
    along = isinstance(method, PathMethod)
    return Explanation(
        method=method,
        layer=layer,
        target=target or Probability(category),
        classes=() if category is None else (category,),
        raw=raw[None],
        signed=raw[None],
        weights=None,
        cancellation=torch.tensor([math.nan]),
        size=INPUT,
        score=torch.tensor([score]),
        baseline_score=torch.tensor([0.0 if along else math.nan]),
        residual=torch.tensor([residual if along else math.nan]),
        is_cut=is_cut if along else None,
        passes=torch.tensor([passes if along else 1]),
        error=torch.tensor([error if along else 0.0]),
        tolerance=0.01,
        precision="float32",
        epsilon=0.0,
        course=(Course((0.0, 0.25, 0.5, 1.0), (0.0, 0.3, 0.35, score)),) if along else (),
    )


def grad_cam(**kwargs: object) -> Explanation:
    return explanation(method=GradCAM(), **kwargs)


def spot(height: int, width: int, row: int, column: int) -> Tensor:
    """A map that is 1 at one place."""
    heatmap = torch.zeros(height, width)
    heatmap[row, column] = 1
    return heatmap


def grey(width: int, height: int, level: int = 128) -> Image.Image:
    return Image.new("RGB", (width, height), (level, level, level))


def noise(width: int, height: int, seed: int = 0) -> Image.Image:
    values = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return Image.fromarray(values)


def pixels(image: Image.Image) -> np.ndarray:
    """As signed numbers, so that differences are right."""
    assert image.mode == "RGB"
    return np.asarray(image).astype(int)


def said(figure: object) -> str:
    """All the words on a figure."""
    return "\n".join(text.get_text() for text in figure.texts)
