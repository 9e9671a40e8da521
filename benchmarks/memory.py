"""Peak memory by the number of steps, and whether many explanations leave anything behind."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys

import torch
from torch import nn

from rsi_gradcam import explain

COUNT = 10_000


def peak(steps: int) -> float:
    """Peak resident memory in MiB of a process that explains once with so many steps, above what it had before."""
    code = f"""
import resource, torch
from torchvision.models import vgg19
from rsi_gradcam import explain_all
model = vgg19().eval()
x = torch.rand(1, 3, 224, 224, generator=torch.Generator().manual_seed(0))
call = lambda steps: explain_all(model, x, ["features.27", "features.36"], baseline=x * 0, steps=steps)
call(2)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
call({steps})
print(before / 1024, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return float(found[1])


def leaks() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3)
    )
    x = torch.rand(1, 3, 8, 8)
    for _ in range(100):
        explain(model, x, "1", baseline=x * 0)
    before = counted(model)
    for _ in range(COUNT):
        explain(model, x, "1", baseline=x * 0)
    after = counted(model)
    for what in before:
        print(f"{COUNT:,} explanations: {what} {before[what]:,} → {after[what]:,}")


def counted(model: nn.Module) -> dict[str, int]:
    gc.collect()
    return {
        "tensors": sum(issubclass(type(each), torch.Tensor) for each in gc.get_objects()),
        "objects": len(gc.get_objects()),
        "hooks": sum(len(module._forward_hooks) for module in model.modules()),
        "peak memory in MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    fifty, many = peak(50), peak(400)
    print(
        f"VGG-19, three methods × two layers: peak {fifty:.0f} MiB at 50 steps, "
        f"{many:.0f} at 400: {many / fifty:.3f} ×"
    )
    leaks()
