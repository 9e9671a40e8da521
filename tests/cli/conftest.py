from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from rsi_gradcam import zoo
from rsi_gradcam.cli import network as chosen_network
from rsi_gradcam.cli.application import app

Run = Callable[..., Result]

OWN = """
import torch
from torch import nn
from rsi_gradcam.images import Preprocess

def tiny(scale=1.0):
    torch.manual_seed(0)
    body = nn.Sequential(nn.Conv2d(3, 6, 3, 2, 1), nn.ReLU(), nn.Conv2d(6, 8, 3, 2, 1), nn.ReLU())
    head = nn.Linear(8, 4)
    nn.init.constant_(head.bias, 0.0)
    head.weight.data *= scale
    net = nn.Sequential(body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), head)
    return net, Preprocess((16, 16), "squash"), ["red cat", "blue cat", "dog", "house"]

def sure():
    return tiny(10000.0)

def fails():
    net, preprocess, names = tiny()
    original = net.forward
    def forward(x):
        if bool((x != 0).any()):
            raise RuntimeError("tensors that do not fit\\nand a second line")
        return original(x)
    net.forward = forward
    return net, preprocess, names

def nothing():
    return 7

def broken():
    raise ValueError("no such checkpoint")

def leaves():
    raise SystemExit(3)

def bare():
    return tiny()[0]

class Spoilt(nn.Module):
    def __init__(self, when):
        super().__init__()
        self.tiny, self.when = tiny()[0], when
    def forward(self, x):
        bad = self.when(x).view(-1, 1)
        return torch.where(bad, torch.nan, self.tiny(x))

def nan():
    return (Spoilt(lambda x: torch.ones(len(x), dtype=bool)), *tiny()[1:])

def nan_for_white():
    return (Spoilt(lambda x: x.amin((1, 2, 3)) > 2.2), *tiny()[1:])

def softmax():
    net, *rest = tiny(3.0)
    return nn.Sequential(net, nn.Softmax(1)), *rest

def alike():
    net, preprocess, _ = tiny()
    return net, preprocess, ["crane, bird", "crane, machine", "crane", "house"]

def long():
    net, preprocess, names = tiny()
    return net, preprocess, ["very " * 100 + name for name in names]
"""


@cache
def loaded(name: str) -> zoo.Network:
    return zoo.load(name)


@pytest.fixture(autouse=True)
def _load_the_built_in_network_once(monkeypatch):
    """It is the same each time, and not changed by being explained."""

    def load(name, *, weights=None, preprocess=None, progress=None):
        if (name, weights, preprocess) == (zoo.DEFAULT, None, None):
            return loaded(name)
        return zoo.load(name, weights=weights, preprocess=preprocess, progress=progress)

    monkeypatch.setattr(chosen_network, "load", load)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in, with a module of one's own networks."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own_networks.py").write_text(OWN)
    yield tmp_path
    sys.modules.pop("own_networks", None)


@pytest.fixture
def run(here) -> Run:
    def run(*args: object) -> Result:
        return CliRunner().invoke(app, [str(each) for each in args])

    return run


def values_in(path: Path | str) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return dict(file)


def picture_in(path: Path | str) -> Image.Image:
    with Image.open(path) as file:
        file.load()
        return file


@dataclass(frozen=True)
class Photos:
    folder: Path

    def add(self, name: str, size: tuple[int, int] = (120, 80), of: str = "coffee") -> Path:
        import skimage

        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.open(Path(skimage.__file__).parent / "data" / f"{of}.png").convert("RGB").resize(size).save(path)
        return path

    def spoil(self, name: str, content: bytes) -> Path:
        (self.folder / name).write_bytes(content)
        return self.folder / name


@pytest.fixture
def photos(here) -> Photos:
    return Photos(here)
