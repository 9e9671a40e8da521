"""Maps that can be made again, by the library itself, of a tiny network."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from rsi_gradcam import explain
from rsi_gradcam.metrics.base import Seen
from tests.metrics.asking import PREPROCESS, seeing


@dataclass
class Remade:
    network: nn.Module
    photo: Tensor
    layer: str
    category: int
    method: str = "grad_cam"
    preset: str | None = None
    asked: int = 0

    def explained(self, network: nn.Module, x: Tensor):
        self.asked += 1
        baseline = torch.zeros_like(x[0])
        return explain(network, x, self.layer, self.method, self.category, baseline, steps=4, preset=self.preset)

    def of(self, pixels: Tensor) -> Tensor:
        return self.explained(self.network, PREPROCESS.normalise(pixels)[None]).raw[0]

    def in_double(self) -> Tensor:
        x = PREPROCESS.normalise(self.photo)[None].double()
        return self.explained(deepcopy(self.network).double(), x).raw[0]

    def randomised(self, share: float, seed: int) -> Tensor:
        network = deepcopy(self.network)
        layers = [module for module in network.modules() if hasattr(module, "reset_parameters")][::-1]
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            for layer in layers[: round(share * len(layers))]:
                layer.reset_parameters()
        return self.explained(network, PREPROCESS.normalise(self.photo)[None]).raw[0]

    def seen(self) -> Seen:
        found = self.explained(self.network, PREPROCESS.normalise(self.photo)[None])
        self.asked = 0
        return seeing(self.network, self.photo, found.heatmap[0], self.category, self, raw=found.raw[0])
