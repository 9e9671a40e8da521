"""A local file of weights: read without running any code in it, and fitted to a network."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import MissingExtra, WeightsError

State = dict[str, Tensor]
WRAPPERS = ("state_dict", "model_state_dict", "model")  # where training scripts keep the weights
MOST_SHOWN = 3


def read_weights(path: Path) -> State:
    """The state dict in a .pth or .safetensors file, also from inside a training checkpoint."""
    if not path.is_file():
        raise WeightsError(f"the weights file {path} is not there: check the path")
    try:
        loaded = read_safetensors(path) if path.suffix == ".safetensors" else read_torch(path)
    except (MissingExtra, WeightsError):
        raise
    except Exception as error:  # a broken file may raise anything
        why = (str(error).splitlines() or [type(error).__name__])[0]
        raise WeightsError(f"{path} is no readable weights file ({why}): download or save it again") from error
    return without_prefix(state_in(loaded, path))


def read_safetensors(path: Path) -> object:
    try:
        from safetensors.torch import load_file  # noqa: PLC0415 - an optional dependency, and this is its home
    except ImportError as error:
        raise MissingExtra("reading .safetensors", "zoo") from error
    return load_file(path)


def read_torch(path: Path) -> object:
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        if "Weights only load failed" not in str(error) or "Unsupported" not in str(error):
            raise
        raise WeightsError(
            f"{path} holds more than tensors, which could run code and is not loaded: "
            f"save it again with torch.save(model.state_dict(), …)"
        ) from error


def state_in(loaded: object, path: Path) -> State:
    for name in WRAPPERS:
        if isinstance(loaded, Mapping) and isinstance(loaded.get(name), Mapping):
            loaded = loaded[name]
    if not isinstance(loaded, Mapping) or not all(isinstance(value, Tensor) for value in loaded.values()):
        raise WeightsError(
            f"{path} holds {type(loaded).__name__}, not a state dict of tensors: save model.state_dict()"
        )
    return {str(name): value for name, value in loaded.items()}


def without_prefix(state: State, prefix: str = "module.") -> State:
    """Without what DataParallel puts before each name."""
    if not all(name.startswith(prefix) for name in state):
        return state
    return {name.removeprefix(prefix): value for name, value in state.items()}


def fit(network: nn.Module, state: State, source: str) -> None:
    """Loads the weights, every one, or says what does not fit."""
    own = network.state_dict()
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    misshapen = [
        f"{name} {tuple(state[name].shape)} for {tuple(own[name].shape)}"
        for name in own
        if name in state and own[name].shape != state[name].shape
    ]
    faults = [
        f"{len(names)} {what} ({', '.join(names[:MOST_SHOWN])}{', …' if len(names) > MOST_SHOWN else ''})"
        for what, names in (("missing", missing), ("unexpected", unexpected), ("of another shape", misshapen))
        if names
    ]
    if faults:
        raise WeightsError(
            f"the weights of {source} do not fit {type(network).__name__}: {'; '.join(faults)}: "
            f"give the network they were made for"
        )
    network.load_state_dict(state)
