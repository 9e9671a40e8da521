"""Any classifier of torchvision, by its name there, with its own weights, transforms and categories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from rsi_gradcam.errors import MissingExtra, ModelError, WeightsError, did_you_mean
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.download import fetch
from rsi_gradcam.zoo.network import Network, adopt
from rsi_gradcam.zoo.sources.base import Order
from rsi_gradcam.zoo.weights_file import fit, read_weights

try:
    from torchvision import models
except ImportError as missing:
    raise MissingExtra("networks of torchvision", "zoo") from missing

# How their own weights are built in, where that is not the default.
OPTIONS: dict[str, dict[str, bool]] = {
    "googlenet": {"init_weights": False, "transform_input": True, "aux_logits": True},
    "inception_v3": {"init_weights": False, "transform_input": True, "aux_logits": True},
}


def names() -> tuple[str, ...]:
    return tuple(models.list_models(module=models))


def knows(name: str) -> bool:
    network, _, tag = name.partition(".")
    return network in names() and (not tag or tag in models.get_model_weights(network).__members__)


def load(order: Order) -> Network:
    """By name, resnet50, or with the weights meant, resnet50.IMAGENET1K_V1."""
    name, _, tag = order.name.partition(".")
    if name not in names():
        raise ModelError(f"torchvision has no classifier {name!r}: {did_you_mean(name, names())}")
    own = own_weights(name, tag)
    path = order.weights or fetch(own.url, cached(own.url), order.progress)
    network = models.get_model(name, weights=None, **OPTIONS.get(name, {})).requires_grad_(False)
    fit(network, read_weights(path), str(path))
    preprocess = order.preprocess or preprocess_of(own.transforms())
    came = f"file {path}" if order.weights else f"torchvision {own}"
    return adopt(network, preprocess, own.meta["categories"], name=order.name, weights=came)


def own_weights(name: str, tag: str) -> Any:
    """The member of the enum of weights of this network."""
    known = models.get_model_weights(name)
    if tag and tag not in known.__members__:
        raise WeightsError(f"{name} has no weights {tag!r}: {did_you_mean(tag, known.__members__)}")
    return known[tag or "DEFAULT"]


def cached(url: str) -> Path:
    """Where torch itself keeps what it downloads."""
    return Path(torch.hub.get_dir(), "checkpoints", Path(url).name)


def preprocess_of(transforms: Any) -> Preprocess:
    (crop,), (resize,) = transforms.crop_size, transforms.resize_size
    return Preprocess(
        (crop, crop),
        "crop",
        transforms.interpolation.value,
        tuple(transforms.mean),
        tuple(transforms.std),
        crop / resize,
    )
