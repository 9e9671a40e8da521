"""A tiny network as the page loads it, and photos for it."""

from __future__ import annotations

import io
from pathlib import Path

import torch
from PIL import Image

from rsi_gradcam.images import Preprocess
from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.explorer import Explorer
from rsi_gradcam.web.networks import Loaded, Networks
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.run import Run
from rsi_gradcam.zoo import adopt
from tests.networks import SIZE, network

NAME = "tiny"
NAMES = ("ash", "birch, silver birch", "cedar", "deal", "elm")
LAYER = "features.5"


def loaded(kind: str = "plain") -> Loaded:
    made = network(kind, dtype=torch.float32)
    return Loaded(NAME, None, adopt(made, Preprocess((SIZE, SIZE)), NAMES, name=NAME))


def explorer(kind: str = "plain") -> Explorer:
    networks = Networks(NAME)
    networks._loaded[NAME] = loaded(kind)
    return Explorer(networks)


def picture(seed: int = 0, size: tuple[int, int] = (40, 30)) -> Image.Image:
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.rand(3, 4, 4, generator=generator)
    pixels = torch.nn.functional.interpolate(coarse[None], (size[1], size[0]), mode="bicubic")[0].clamp(0, 1)
    return Image.fromarray((pixels * 255).byte().permute(1, 2, 0).numpy())


def png(seed: int = 0, size: tuple[int, int] = (40, 30)) -> bytes:
    file = io.BytesIO()
    picture(seed, size).save(file, "PNG")
    return file.getvalue()


def written(folder: Path, data: bytes, name: str = "photo.png") -> tuple[str, str]:
    (folder / name).write_bytes(data)
    return str(folder / name), name


def run(
    methods: tuple[str, ...] = ("grad_cam", "rsi_grad_cam"), exactness: str = "10 steps", **choice: object
) -> Run:
    """One that has not begun."""
    net = loaded()
    photo = Photo("photo.png", png(), (40, 30), "data:")
    x = net.network.preprocess(photo.image())[None]
    asked = {"layers": (LAYER,), "classes": (1,), **choice}
    return Run(Choice(NAME, methods, exactness=exactness, **asked), net, photo, x)
