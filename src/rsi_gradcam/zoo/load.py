"""A network by its name."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from rsi_gradcam.errors import MissingExtra, ModelError, did_you_mean
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.download import Progress
from rsi_gradcam.zoo.network import Network
from rsi_gradcam.zoo.sources.base import Order, Source

DEFAULT = "efficientnet_lite0"
BY_NAME = {
    "built-in": "efficientnet_lite0",
    "torchvision": "torchvision_models",
    "timm": "timm_models",
}
"""Sources that are asked for a name, in this order, and the files they are in."""


def load(
    name: str = DEFAULT,
    *,
    weights: str | os.PathLike[str] | None = None,
    preprocess: Preprocess | str | None = None,
    progress: Progress | None = None,
) -> Network:
    """The built-in network, or any of torchvision or timm, or one's own by `module:factory`.

    `torchvision/resnet50` and `timm/resnet50` say whose; else torchvision comes first. `weights` is a local file
    instead of its own weights, `preprocess` replaces its own ("keras_vgg" is the paper's), and `progress` is told
    how a download goes.
    """
    if isinstance(preprocess, str):
        preprocess = Preprocess.preset(preprocess)
    file, name = source_of(name)
    return source(file).load(Order(name, None if weights is None else Path(weights), preprocess, progress))


def names() -> Mapping[str, tuple[str, ...]]:
    """Source → the names it knows. What is not installed is left out."""
    return {said: source(file).names() for said, file in BY_NAME.items() if is_installed(file)}


def source_of(name: str) -> tuple[str, str]:
    """The file of the source that has this network, and the network's name there."""
    if ":" in name:
        return "own_model", name
    whose, _, plain = name.partition("/")
    if plain and whose in BY_NAME:
        return BY_NAME[whose], plain
    for file in BY_NAME.values():
        if source(file).knows(name):
            return file, name
    raise ModelError(f"no network is called {name!r}: {nearest(name)}")


def nearest(name: str) -> str:
    """The end of the error line; case is no matter, and what two sources know is said once."""
    known = dict.fromkeys(each for all_of_one in names().values() for each in all_of_one)
    lower = {each.lower(): each for each in known}
    same = lower.get(name.lower())
    return f"did you mean {same}?" if same else did_you_mean(name.lower(), known)


def is_installed(file: str) -> bool:
    try:
        source(file)
    except MissingExtra:
        return False
    return True


def source(file: str) -> Source:
    return cast(Source, importlib.import_module(f"rsi_gradcam.zoo.sources.{file}"))
