"""Whether the part of the network below the layers may run in bfloat16: it must be faster, and good enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from torch.nn import functional

from rsi_gradcam.capture import Camera
from rsi_gradcam.errors import ModelError
from rsi_gradcam.methods.base import IMAGE
from rsi_gradcam.modes import versions

ROUGH = 0.25  # how far a small step of the activations may be off: VGG-19 0.07, EfficientNet-Lite0 0.65
STEP = 1 / 16  # the step, at a quarter of the way to the image

_holds: WeakKeyDictionary[nn.Module, dict[tuple[tuple[str, ...], float], tuple[int, bool]]] = WeakKeyDictionary()


def bfloat16_is_fast(device: torch.device) -> bool:
    """Does this device multiply in bfloat16 by instructions of its own?"""
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device) >= (8, 0)
    if device.type != "cpu":
        return False
    checks = [getattr(torch.cpu, name, None) for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported")]
    return any(check is not None and check() for check in checks)


def may_run_half(model: nn.Module, x: Tensor, layers: Sequence[str]) -> bool:
    """May the part below the layers run in bfloat16: is it faster, all in float32, and not the caller's business?"""
    return (
        bfloat16_is_fast(x.device)
        and x.dtype == torch.float32
        and IMAGE not in layers
        and not torch.is_autocast_enabled(x.device.type)
        and all(parameter.dtype == torch.float32 for parameter in model.parameters())
    )


def holds_half(model: nn.Module, x: Tensor, layers: tuple[str, ...]) -> bool:
    """Do small steps along a path survive bfloat16 in this network?

    Found once for a model's weights, its layers and the inputs' order of size. The path is one of smooth noise, the
    same everywhere, so that all machines of a run agree.
    """
    known, key, version = _holds.setdefault(model, {}), (layers, magnitude(x)), versions(model)
    if key not in known or known[key][0] != version:
        known[key] = version, roughness(model, x, layers) <= ROUGH
    return known[key][1]


def magnitude(x: Tensor) -> float:
    """The power of two nearest to the greatest value."""
    return float(torch.exp2(x.abs().amax().log2().round()).nan_to_num(1.0).clamp(min=2**-10))


def roughness(model: nn.Module, x: Tensor, layers: tuple[str, ...]) -> float:
    """The error of a step's change of activations in bfloat16, relative to the change: the worst layer's.

    Infinite where a way past the layer goes on in bfloat16 and the network cannot put the two together.
    """
    noise = torch.rand((1, x.shape[1], 14, 14), generator=torch.Generator().manual_seed(0))
    image = functional.interpolate(2 * noise - 1, x.shape[-2:], mode="bilinear")
    points = (torch.tensor([0.25, 0.25 + STEP]).view(2, 1, 1, 1) * (image + 1) - 1).to(x) * magnitude(x)
    changes: list[dict[str, Tensor]] = []
    with Camera(model, layers).open() as camera:
        for half in (False, True):
            try:
                with camera.look(points, half=half) as look:
                    changes.append({name: (A[1] - A[0]).detach() for name, A in look.A.items()})
            except (RuntimeError, ModelError):
                if not half:
                    raise
                return math.inf
    exact, rounded = changes
    return max(float((rounded[name] - exact[name]).norm() / exact[name].norm().clamp(min=1e-30)) for name in layers)
