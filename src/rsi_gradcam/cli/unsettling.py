"""The run of `baseline`: an uncertain image for a network, and how uncertain it is."""

from __future__ import annotations

from pathlib import Path

import torch
import typer
from PIL import Image
from torch import Tensor

from rsi_gradcam import cache
from rsi_gradcam.baselines import Uncertain
from rsi_gradcam.cli.choices import NetworkChoice
from rsi_gradcam.cli.file_names import file_name
from rsi_gradcam.cli.network import network_of
from rsi_gradcam.cli.results import save_picture
from rsi_gradcam.cli.telling import json_line
from rsi_gradcam.cli.terminal import working
from rsi_gradcam.cli.whole_file import usable


def unsettle(choice: NetworkChoice, out: Path, *, json: bool) -> None:
    """Found once; `--baseline uncertain` takes it from the cache from then on."""
    usable(out)
    network = network_of(choice)
    preprocess = network.preprocess
    x = torch.zeros(1, 3, *preprocess.size, device=choice.device)
    with working("finding an image that says nothing"):
        found = Uncertain(preprocess.mean, preprocess.std).find(x, network.network)
    path = out / file_name(network.name.replace("/", "_").replace(":", "_"), "uncertain.png")
    save_picture(pixels(preprocess.denormalise(found.image[0])), path)
    if json:
        figures = {name: value for name, value in vars(found).items() if name != "image"}
        typer.echo(json_line({"model": network.name, **figures, "picture": str(path), "cache": str(cache.folder())}))
        return
    typer.echo(f"{network.name}: {found}")
    typer.echo(f"kept in {cache.folder()} for --baseline uncertain; its picture → {path}")


def pixels(image: Tensor) -> Image.Image:
    """(3, height, width) in 0..1 as a picture."""
    return Image.fromarray((image.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).cpu().numpy())
