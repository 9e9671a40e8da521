"""The photo with a share of its pixels guessed from the rest."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.metrics.base import Probe, Seen
from rsi_gradcam.metrics.imputation import impute
from rsi_gradcam.metrics.order import First, places


def grain(pixels: Tensor, seed: int = 0) -> Tensor:
    """(3, H, W) of standard normal noise that belongs to the photo: the same for every map of it, everywhere."""
    own = zlib.crc32(pixels.cpu().contiguous().numpy().tobytes(), seed)  # 32 bits: torch takes no more of a seed
    generator = torch.Generator().manual_seed(own)
    return torch.randn(pixels.shape, generator=generator).to(pixels)


@dataclass(frozen=True)
class Imputed(Probe):
    """The photo once for each share, that share of its pixels imputed, the most or the least important first."""

    first: First
    shares: tuple[float, ...]
    noise: float = 0.01
    seed: int = 0

    def inputs(self, seen: Seen) -> Tensor:
        x, place = seen.preprocess.normalise(seen.pixels), places(seen.heatmap, self.first)
        noise = self.noise * grain(seen.pixels, self.seed)
        found = []
        for share in self.shares:
            missing = place < round(share * place.numel())
            found.append(torch.where(missing, impute(x, missing) + noise, x))
        return torch.stack(found)
