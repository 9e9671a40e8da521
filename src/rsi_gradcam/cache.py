"""Tensors that took long to make, kept on disk."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn


def folder() -> Path:
    """RSI_GRADCAM_CACHE, or rsi-gradcam in the user's cache folder."""
    own = os.environ.get("RSI_GRADCAM_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rsi-gradcam"


def fingerprint(model: nn.Module) -> str:
    """A hash of the weights."""
    digest = hashlib.sha256()
    for name, tensor in model.state_dict().items():
        if isinstance(tensor, Tensor):
            digest.update(f"{name}{tuple(tensor.shape)}{tensor.dtype}".encode())
            digest.update(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


class Cache:
    """One tensor, by what it was made from. A folder that cannot be written to is no cache, and no error."""

    def __init__(self, kind: str, made_from: object) -> None:
        self.file = folder() / f"{kind}-{hashlib.sha256(repr(made_from).encode()).hexdigest()[:32]}.pt"

    def load(self) -> Tensor | None:
        try:
            found = torch.load(self.file, map_location="cpu", weights_only=True)
        except Exception:
            return None
        return found if isinstance(found, Tensor) else None

    def save(self, tensor: Tensor) -> None:
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.file.parent, delete=False) as part:
                torch.save(tensor.detach().cpu(), part)
            Path(part.name).replace(self.file)
        except OSError:
            return
