"""Any classifier of timm, by its name there, with its own weights, transforms and categories."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from rsi_gradcam.errors import MissingExtra, ModelError, WeightsError, did_you_mean
from rsi_gradcam.images import Preprocess
from rsi_gradcam.images.preprocess import Mode
from rsi_gradcam.zoo.download import fetch
from rsi_gradcam.zoo.imagenet import imagenet_categories
from rsi_gradcam.zoo.network import Network, adopt
from rsi_gradcam.zoo.sources.base import Order
from rsi_gradcam.zoo.weights_file import fit, read_weights

try:
    import timm
    from huggingface_hub import hf_hub_url, try_to_load_from_cache
    from timm.data import ImageNetInfo, infer_imagenet_subset, resolve_data_config
except ImportError as missing:
    raise MissingExtra("networks of timm", "zoo") from missing

MODES: Mapping[str, Mode] = {"center": "crop", "squash": "squash"}
HUB_FILES = ("model.safetensors", "pytorch_model.bin")


def names() -> tuple[str, ...]:
    return tuple(timm.list_models())


def knows(name: str) -> bool:
    return bool(timm.is_model(name.partition(".")[0]))


def load(order: Order) -> Network:
    """By name, resnet50, or with the weights meant, resnet50.a1_in1k."""
    config = config_of(order.name)
    path = order.weights or own_weights(order.name, config, order)
    network = built(order.name, path).requires_grad_(False)
    preprocess = order.preprocess or preprocess_of(order.name, resolve_data_config(pretrained_cfg=config))
    came = f"file {path}" if order.weights else f"timm {config.get('architecture')}.{config.get('tag')}"
    return adopt(network, preprocess, categories_of(config), name=order.name, weights=came)


def config_of(name: str) -> Mapping[str, Any]:
    """What timm knows of a network and its weights."""
    if not knows(name):
        raise ModelError(f"timm has no network {name!r}: {did_you_mean(name, names())}")
    try:
        found = timm.get_pretrained_cfg(name)
    except RuntimeError as error:
        known = timm.list_pretrained(f"{name.partition('.')[0]}.*")
        raise WeightsError(f"timm has no such weights: {did_you_mean(name, known)}") from error
    config: Mapping[str, Any] = {} if found is None else found.to_dict()
    if config.get("num_classes") == 0:
        raise ModelError(f"{name} gives features and has no classes: take a network that classifies")
    return config


def own_weights(name: str, config: Mapping[str, Any], order: Order) -> Path:
    """The file of its weights, from the hub's cache or fetched."""
    here = Path(torch.hub.get_dir(), "checkpoints")
    if hub := config.get("hf_hub_id"):
        repository, _, revision = hub.partition("@")
        files = [config["hf_hub_filename"]] if config.get("hf_hub_filename") else HUB_FILES
        for file in files:
            found: object = try_to_load_from_cache(repository, file, revision=revision or None)
            if isinstance(found, str):
                return Path(found)
        url = hf_hub_url(repository, files[0], revision=revision or None)
        return fetch(url, here / f"{repository.replace('/', '--')}--{files[0]}", order.progress)
    if config.get("url"):
        return fetch(config["url"], here / Path(config["url"]).name, order.progress)
    raise WeightsError(f"timm has no weights for {name}: pass your own with weights=FILE (--weights FILE)")


def built(name: str, path: Path) -> torch.nn.Module:
    """The network with these weights, brought by timm into its own form where they are in another."""
    if path.suffix == ".npz":
        return filled(name, path, {"file": str(path)})
    state = read_weights(path)
    try:
        return filled(name, path, {"state_dict": dict(state), "custom_load": False})
    except WeightsError:
        fit(timm.create_model(name, pretrained=False), state, str(path))  # says what does not fit
        raise


def filled(name: str, path: Path, source: Mapping[str, Any]) -> torch.nn.Module:
    try:
        network: torch.nn.Module = timm.create_model(name, pretrained=True, pretrained_cfg_overlay=source)
    except Exception as error:  # each of timm's converters raises its own
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise WeightsError(f"{path} does not fit timm's {name} ({why}): give the weights made for it") from error
    network.pretrained_cfg.pop("state_dict", None)  # type: ignore[union-attr, operator]
    return network


def preprocess_of(name: str, config: Mapping[str, Any]) -> Preprocess:
    mode = MODES.get(config["crop_mode"])
    if mode is None or config["crop_pct"] > 1:
        raise ModelError(f"{name} pads its photos, which Preprocess does not: give another preprocess")
    return Preprocess(
        tuple(config["input_size"][1:]),
        mode,
        config["interpolation"],
        tuple(config["mean"]),
        tuple(config["std"]),
        config["crop_pct"],
    )


def categories_of(config: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Names where timm says or lets infer which they are."""
    if config.get("label_names"):
        return tuple(config["label_names"])
    subset = infer_imagenet_subset(dict(config))
    if subset is None:
        return None
    return imagenet_categories() if subset == "imagenet-1k" else tuple(ImageNetInfo(subset).label_descriptions())
