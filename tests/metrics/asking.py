"""Maps of photos by tiny networks, and what those networks answer to a metric's probes."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.metrics.base import Again, Answers, Metric, Seen, Value
from tests.networks import SIZE, network

PREPROCESS = Preprocess((SIZE, SIZE), mean=(0.4, 0.5, 0.6), std=(0.2, 0.25, 0.3))


def model(kind: str = "plain", seed: int = 0) -> nn.Module:
    """In float32, as the runner has it."""
    return network(kind, seed=seed, dtype=torch.float32)


def pixels(seed: int = 0, size: int = SIZE) -> Tensor:
    return torch.rand(3, size, size, generator=torch.Generator().manual_seed(seed))


def some_map(seed: int = 0, size: int = SIZE) -> Tensor:
    """A heatmap from 0 to 1, no two values alike."""
    values = torch.linspace(0, 1, size * size)
    return values[torch.randperm(size * size, generator=torch.Generator().manual_seed(seed))].reshape(size, size)


def seeing(
    of: nn.Module, photo: Tensor, heatmap: Tensor, category: int = 1, again: Again | None = None, **other: object
) -> Seen:
    preprocess = other.pop("preprocess", PREPROCESS)
    raw, evidence = other.pop("raw", heatmap), other.pop("evidence", "positive")
    with torch.no_grad():
        logits = of(preprocess.normalise(photo)[None])[0]
    return Seen(raw, heatmap, photo, None, (), category, logits, preprocess, again, evidence)


def answered(metric: Metric, seen: Seen, by: nn.Module) -> Answers:
    with torch.no_grad():
        return {probe: by(probe.inputs(seen)) for probe in metric.probes()}


def measured(metric: Metric, seen: Seen, by: nn.Module) -> dict[str, Value]:
    return dict(metric.measure(seen, answered(metric, seen, by)))


class PixelSum(nn.Module):
    """Two logits that can be written down: the sum of all numbers of the input times a weight, and 0."""

    def __init__(self, weight: float = 1.0) -> None:
        super().__init__()
        self.weight = weight

    def forward(self, x: Tensor) -> Tensor:
        score = self.weight * x.sum((1, 2, 3))
        return torch.stack([score, torch.zeros_like(score)], 1)
