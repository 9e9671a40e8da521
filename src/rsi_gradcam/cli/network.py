"""The network that was chosen, ready where it is to run."""

from __future__ import annotations

from dataclasses import replace

import torch

from rsi_gradcam.cli.choices import NetworkChoice
from rsi_gradcam.cli.terminal import downloads, working
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.zoo import Network, load


def network_of(choice: NetworkChoice) -> Network:
    device = device_of(choice.device)
    with working(f"loading {choice.model}"), downloads() as progress:
        network = load(choice.model, weights=choice.weights, preprocess=choice.preprocess, progress=progress)
        network.network.to(device)
    if choice.resize is None:
        return network
    return replace(network, preprocess=network.preprocess.resizing(choice.resize))


def device_of(name: str) -> torch.device:
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except Exception as error:  # each kind of device has its own way of not being there
        raise ConfigurationError(f"device {name!r} is not on this machine: use cpu, or one that is") from error
    return device
