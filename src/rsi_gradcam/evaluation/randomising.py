"""The network with its last layers drawn anew, from the output downwards (Adebayo et al. 2018)."""

from __future__ import annotations

import copy
import math

import torch
from torch import Tensor, nn

from rsi_gradcam.capture import trace
from rsi_gradcam.errors import ConfigurationError


def randomised(module: nn.Module, like: Tensor, share: float, seed: int) -> nn.Module:
    """A copy in which the last `share` of the layers that have weights (rounded up) hold other weights.

    Each weight is drawn from the normal distribution with the mean and the spread of its own tensor: nothing of
    what was learned is left but the scale. Running means and variances of normalisations stay. A larger share
    holds the same draws as a smaller one and more, as in the cascading test.
    """
    if not 0 <= share <= 1:
        raise ConfigurationError(f"a share of the layers lies between 0 and 1, got {share}")
    found = copy.deepcopy(module)
    modules, names = dict(found.named_modules()), weighted(module, like)
    generator = torch.Generator().manual_seed(seed)
    for name in names[::-1][: math.ceil(round(share * len(names), 9))]:
        for parameter in modules[name].parameters(recurse=False):
            parameter.data = drawn(parameter.data, generator)
    return found


def weighted(module: nn.Module, like: Tensor) -> list[str]:
    """The layers with weights of their own, in the order in which they run."""
    modules = dict(module.named_modules())
    running = [each.name for each in trace(module, like)]
    return [name for name in running if any(True for _ in modules[name].parameters(recurse=False))]


def drawn(weights: Tensor, generator: torch.Generator) -> Tensor:
    """Drawn on the CPU: the same on every device."""
    spread = weights.double().std(correction=0) if weights.numel() > 1 else weights.double().abs().sum()
    noise = torch.randn(weights.shape, generator=generator)
    return (noise * spread.item() + weights.double().mean().item()).to(weights)
