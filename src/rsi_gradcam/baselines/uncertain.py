"""An image near black that the network can make nothing of: all classes as equally likely as can be made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from rsi_gradcam.baselines.base import PixelBaseline
from rsi_gradcam.cache import Cache, fingerprint
from rsi_gradcam.errors import BaselineError
from rsi_gradcam.modes import evaluating
from rsi_gradcam.normalisation import Normalisation, none
from rsi_gradcam.targets.base import logits_of


@dataclass(frozen=True)
class Uncertainty:
    """An uncertain image and how near it came."""

    image: Tensor  # (1, channel, height, width), as the model's input
    evenness: float  # entropy of the probabilities against that of equal ones: 1 is perfect
    largest: float  # the greatest probability; 1/K would be perfect
    classes: int  # K
    brightness: float  # mean pixel, where black is 0 and white 1

    def __str__(self) -> str:
        return (
            f"evenness {self.evenness:.4f} of 1, largest probability {self.largest:.2e} "
            f"(equal ones: {1 / self.classes:.2e}), mean pixel {self.brightness:.4f}"
        )


@dataclass(frozen=True)
class Uncertain(PixelBaseline):
    """Pixels found by gradient descent from black on −(1/K) Σ_j log p_j + `darkness` · mean(pixel²).

    Seeded, and kept in the cache for the same weights, size and parameters. `find` tells how uniform it got.
    """

    name: ClassVar[str] = "uncertain"
    summary: ClassVar[str] = "near black, with all classes as equally likely as can be made"

    iterations: int = 200
    rate: float = 0.01
    darkness: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.rate <= 0 or self.darkness < 0:
            raise BaselineError(f"iterations and rate must be above 0 and darkness 0 or more, got {self}")

    def images(self, x: Tensor, model: nn.Module) -> Tensor:
        return self.find(x, model).image

    def find(self, x: Tensor, model: nn.Module) -> Uncertainty:
        """The image, from the cache where it is there, and its figures."""
        with torch.inference_mode(False):
            return self.kept(x, model)

    def kept(self, x: Tensor, model: nn.Module) -> Uncertainty:
        normalisation = self.normalisation(x, model) or none(x.shape[1])
        cache = Cache("uncertain", (fingerprint(model), tuple(x.shape[1:]), str(x.dtype), self, normalisation))
        pixels = cache.load()
        if pixels is not None:
            return self.measured(pixels.to(x), model, normalisation)
        pixels = self.descend(x, model, normalisation)
        found = self.measured(pixels, model, normalisation)
        cache.save(pixels)  # only what could be measured
        return found

    def descend(self, x: Tensor, model: nn.Module, normalisation: Normalisation) -> Tensor:
        generator = torch.Generator().manual_seed(self.seed)
        noise = torch.rand((1, *x.shape[1:]), generator=generator, dtype=torch.float64)
        pixels = (0.01 * noise).to(x)
        best, lowest = pixels.clone(), math.inf
        adam = torch.optim.Adam([pixels], lr=self.rate)
        with evaluating(model):
            for _ in range(self.iterations):
                loss, gradient = self.slope(pixels, model, normalisation)
                if loss < lowest:
                    best, lowest = pixels.clone(), loss
                pixels.grad = gradient
                adam.step()
                pixels.clamp_(0, 1)
        return best

    def slope(self, pixels: Tensor, model: nn.Module, normalisation: Normalisation) -> tuple[float, Tensor]:
        with torch.enable_grad():
            leaf = pixels.detach().clone().requires_grad_()
            log_p = log_probabilities(model, normalisation.inputs(leaf))
            loss = -log_p.mean() + self.darkness * (leaf**2).mean()
            (gradient,) = torch.autograd.grad(loss, leaf)
        return float(loss.detach()), gradient

    def measured(self, pixels: Tensor, model: nn.Module, normalisation: Normalisation) -> Uncertainty:
        image = normalisation.inputs(pixels)
        with evaluating(model), torch.no_grad():
            log_p = log_probabilities(model, image)
        classes = log_p.shape[1]
        entropy = -(log_p.exp() * log_p).sum()
        return Uncertainty(
            image, float(entropy) / math.log(classes), float(log_p.max().exp()), classes, float(pixels.mean())
        )


def log_probabilities(model: nn.Module, image: Tensor) -> Tensor:
    """log p of each class, or an error where the network gives no numbers."""
    log_p = logits_of(model(image)).log_softmax(1)
    if bool(log_p.isnan().any()):
        raise BaselineError(
            "the network's output for a dark image is not finite: check its weights and preprocessing"
        )
    return log_p
