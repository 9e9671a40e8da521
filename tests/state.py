"""All that an explanation could leave changed: of the model, of torch, of the random numbers."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator

import numpy as np
import torch
from torch import nn


def state_of(model: nn.Module) -> dict[str, object]:
    found: dict[str, object] = {
        "gradients on": torch.is_grad_enabled(),
        "inference mode": torch.is_inference_mode_enabled(),
        "autocast": [
            (device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device))
            for device in ("cpu", "cuda")
        ],
        "autocast cache": torch.is_autocast_cache_enabled(),
        "default dtype": torch.get_default_dtype(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "anomaly": torch.is_anomaly_enabled(),
        "threads": torch.get_num_threads(),
        "torch random": torch.get_rng_state().tolist(),
        "python random": random.getstate(),
        "numpy random": [np.asarray(part).tolist() for part in np.random.get_state()],
    }
    for name, module in model.named_modules():
        found[f"{name} training"] = module.training
        found[f"{name} keys"] = sorted(vars(module))
        for attribute, value in vars(module).items():
            if "hook" in attribute and hasattr(value, "__len__"):
                found[f"{name} {attribute}"] = len(value)
    for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
        found[f"{name} values"] = tensor.detach().clone().tolist()
        found[f"{name} wants gradient"] = tensor.requires_grad
        found[f"{name} version"] = tensor._version
        found[f"{name} gradient"] = None if tensor.grad is None else tensor.grad.tolist()
        found[f"{name} tensor hooks"] = len(tensor._backward_hooks or ())
    return found


@contextlib.contextmanager
def unchanged(model: nn.Module) -> Iterator[None]:
    """Also when it raises inside."""
    before = state_of(model)
    try:
        yield
    finally:
        after = state_of(model)
        changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
        assert not changed, f"changed: {changed}"
