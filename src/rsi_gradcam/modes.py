"""A model as it must stand while it is explained, and as it was again afterwards."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from rsi_gradcam.errors import ModelError


@dataclass
class Held:
    """How many explanations of a model are under way, and which of its modules were in train mode before."""

    count: int = 0
    training: list[nn.Module] = field(default_factory=list)


_lock = threading.Lock()
_held: WeakKeyDictionary[nn.Module, Held] = WeakKeyDictionary()


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Eval mode, for as long as any explanation of this model runs, in whatever thread."""
    with _lock:
        held = _held.setdefault(model, Held())
        if held.count == 0:
            held.training = [module for module in model.modules() if module.training]
        for module in held.training:
            module.training = False
        held.count += 1
    try:
        yield
    finally:
        with _lock:
            held.count -= 1
            if held.count == 0:
                for module in held.training:
                    module.training = True
                held.training = []


@contextmanager
def own_gradients() -> Iterator[None]:
    """No graph but what the sweep itself records, whatever the caller has switched on or off."""
    with torch.inference_mode(False), torch.no_grad():
        yield


def unwrapped(model: nn.Module) -> nn.Module:
    """The network inside the wrappers that run it elsewhere or compiled."""
    if not isinstance(model, nn.Module):
        raise ModelError(f"model must be a torch.nn.Module, got {type(model).__name__}")
    if isinstance(model, torch.jit.ScriptModule):
        raise ModelError("a TorchScript model cannot be looked into: give the torch.nn.Module it was made from")
    wrapped = (nn.DataParallel, nn.parallel.DistributedDataParallel)
    if isinstance(model, wrapped):
        return unwrapped(model.module)
    compiled = getattr(model, "_orig_mod", None)
    return unwrapped(compiled) if isinstance(compiled, nn.Module) else model


def versions(model: nn.Module) -> int:
    """Another number when a parameter or buffer was replaced or changed in place."""
    return hash(tuple((id(tensor), version_of(tensor)) for tensor in (*model.parameters(), *model.buffers())))


def version_of(tensor: Tensor) -> int:
    """How often it was changed; those that were made in inference mode do not count that."""
    return -1 if tensor.is_inference() else tensor._version
