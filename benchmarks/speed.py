"""Speed, as ratios within one run: our sweep against the authors' loop, other libraries, and the floor.

The floor is the same number of images through the same model in inference mode, at the batch size that is best
for it. The authors' loop takes one path point at a time, with a full backward into every parameter.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from rsi_gradcam import RSIGradCAM, explain, explain_all

LAYERS = ["features.27", "features.36"]
METHODS = ["grad_cam", "integrated_grad_cam", "rsi_grad_cam"]


def seconds(run: Callable[[], object], times: int = 3) -> float:
    run()
    found = []
    for _ in range(times):
        begin = time.perf_counter()
        run()
        found.append(time.perf_counter() - begin)
    return min(found)


def vgg19(weights: str | None) -> nn.Module:
    from torchvision.models import vgg19 as make

    model = make()
    if weights:
        model.load_state_dict(torch.load(weights, weights_only=True))
    return model.eval()


def image(photo: str | None) -> Tensor:
    mean = (torch.tensor([123.68, 116.779, 103.939]) / 255).view(3, 1, 1)
    if photo is None:
        pixels = torch.rand(3, 224, 224, generator=torch.Generator().manual_seed(0))
    else:
        import numpy as np
        from PIL import Image

        resized = Image.open(photo).convert("RGB").resize((224, 224), Image.Resampling.NEAREST)
        pixels = torch.from_numpy(np.array(resized)).permute(2, 0, 1).float() / 255
    return ((pixels - mean) * 255)[None]


def authors_loop(model: nn.Module, x: Tensor, baseline: Tensor, layer: str, steps: int) -> Tensor:
    """RSI-Grad-CAM as a plain loop: each point alone, gradients of everything, kept in .grad."""
    kept: dict[str, Tensor] = {}

    def keep(_module: nn.Module, _inputs: object, output: Tensor) -> None:
        output.retain_grad()
        kept["A"] = output

    handle = model.get_submodule(layer).register_forward_hook(keep)
    category = int(model(x).argmax())
    total, before = torch.zeros(()), None
    for step in range(steps + 1):
        model.zero_grad()
        y = model(baseline + step / steps * (x - baseline)).softmax(1)[0, category]
        y.backward()
        A, G = kept["A"].detach(), kept["A"].grad
        if before is not None:
            total = total + G * (A - before)
        before = A
    handle.remove()
    model.zero_grad()
    return (total.mean((2, 3), keepdim=True) * before).sum(1).relu()


def floor(model: nn.Module, x: Tensor, passes: int, sizes: Sequence[int] = (4, 8, 16, 32, 51)) -> tuple[float, int]:
    """The least time for so many passes in inference mode, and the batch size that had it."""

    def run(size: int) -> None:
        with torch.inference_mode():
            for begin in range(0, passes, size):
                model(x.expand(min(size, passes - begin), -1, -1, -1).contiguous())

    return min((seconds(lambda size=size: run(size), 2), size) for size in sizes)


def path_methods(model: nn.Module, x: Tensor, baseline: Tensor, loop: bool) -> None:
    lowest, size = floor(model, x, 51)
    print(f"floor: 51 passes in inference mode, best at batch {size}: {lowest:.2f} s")
    right = RSIGradCAM(rule="right")
    one = seconds(lambda: explain(model, x, "features.36", right, baseline=baseline, steps=50), 3)
    print(f"one map, block5_pool, 50 steps:             {one / lowest:5.2f} × the floor")
    six = seconds(lambda: explain_all(model, x, LAYERS, METHODS, baseline=baseline, steps=50), 3)
    print(f"three methods × two layers, 50 steps:       {six / lowest:5.2f} × the floor")
    found = explain(model, x, "features.36", baseline=baseline)
    tolerant = seconds(lambda: explain(model, x, "features.36", baseline=baseline), 3)
    print(
        f"one map, block5_pool, tolerance 0.01:       {tolerant / lowest:5.2f} × the floor, "
        f"{int(found.passes[0])} passes ({found.precision})"
    )
    per_pass = tolerant / int(found.passes[0]) / (lowest / 51)
    print(f"  a pass of it:                             {per_pass:5.2f} × a pass of the floor")
    together = seconds(lambda: explain_all(model, x, LAYERS, METHODS, baseline=baseline), 3)
    print(f"three methods × two layers, tolerance 0.01: {together / lowest:5.2f} × the floor")
    if loop:
        loops = {
            layer: seconds(lambda layer=layer: authors_loop(model, x, baseline, layer, 50), 1) for layer in LAYERS
        }
        last, all_six = loops["features.36"], (2 + 1 / 51) * sum(loops.values())
        print(f"authors' loop, block5_pool, 50 steps:       {last / lowest:5.2f} × the floor")
        print(
            f"authors' loop against ours: one map {last / one:.1f}, six maps {all_six / six:.1f}; "
            f"with the tolerance: one map {last / tolerant:.1f}, six maps {all_six / together:.1f}"
        )


def layer_conductance(model: nn.Module, x: Tensor, baseline: Tensor) -> None:
    try:
        from captum.attr import LayerConductance
    except ImportError:
        return
    wrapped = nn.Sequential(model, nn.Softmax(1))
    target = int(model(x).argmax())
    theirs = LayerConductance(wrapped, model.get_submodule("features.36"))
    ours = seconds(lambda: explain(model, x, "features.36", "layer_conductance", target, baseline, steps=50), 2)
    captum = seconds(
        lambda: theirs.attribute(
            x, baseline, target=target, n_steps=50, internal_batch_size=8, method="riemann_trapezoid"
        ),
        1,
    )
    print(f"Captum's LayerConductance, 50 steps:        {captum / ours:5.2f} × ours")


def plain_grad_cam() -> None:
    """Grad-CAM alone, one image, against the libraries that have it. Each library's object is made once."""
    import torchvision.models as zoo

    nets = {"vgg19": "features.36", "resnet50": "layer4", "mobilenet_v2": "features.18"}
    for name, layer in nets.items():
        model = getattr(zoo, name)().eval()
        x = torch.randn(1, 3, 224, 224, generator=torch.Generator().manual_seed(0))
        theirs = {
            "ours": lambda m=model, i=x, at=layer: explain(m, i, at, "grad_cam", 7).heatmap,
            **libraries(model, model.get_submodule(layer), x),
        }
        found: dict[str, list[float]] = {library: [] for library in theirs}
        for run in theirs.values():
            run()
        order = random.Random(0)
        for _ in range(15):  # each after each other in turn: what runs before leaves its mark on memory
            for library, run in order.sample(list(theirs.items()), len(theirs)):
                begin = time.perf_counter()
                run()
                found[library].append(time.perf_counter() - begin)
        ours = statistics.median(found["ours"])
        others = ", ".join(f"{library} {statistics.median(times) / ours:.2f}" for library, times in found.items())
        print(f"plain Grad-CAM on {name}: {others}  (× ours, median of 15 in turns)")


def libraries(model: nn.Module, module: nn.Module, x: Tensor) -> dict[str, Callable[[], object]]:
    found: dict[str, Callable[[], object]] = {}
    try:
        from captum.attr import LayerGradCam

        captum = LayerGradCam(model, module)
        found["Captum"] = lambda: captum.interpolate(
            captum.attribute(x, 7, relu_attributions=True), (224, 224), "bilinear"
        )
    except ImportError:
        pass
    try:
        from pytorch_grad_cam import GradCAM
        from pytorch_grad_cam.utils.model_targets import ClassifierOutputTarget

        grad_cam = GradCAM(model=model, target_layers=[module])
        found["pytorch-grad-cam"] = lambda: grad_cam(input_tensor=x, targets=[ClassifierOutputTarget(7)])
    except ImportError:
        pass
    try:
        from torchcam.methods import GradCAM as TorchCAM

        torchcam = TorchCAM(model, module)
        torchcam.disable_hooks()

        def run() -> object:
            torchcam.enable_hooks()
            scores = model(x)
            maps = torchcam(7, scores)
            torchcam.disable_hooks()
            return nn.functional.interpolate(maps[0][None], (224, 224), mode="bilinear")

        found["TorchCAM"] = run
    except ImportError:
        pass
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", help="state dict of VGG-19; without it, random weights")
    parser.add_argument("--photo", help="a photo; without it, noise")
    parser.add_argument("--no-loop", action="store_true", help="leave out the authors' loop (minutes)")
    parser.add_argument("--only", choices=["path", "plain", "captum"], help="one part alone")
    said = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"{torch.__version__}, {torch.get_num_threads()} threads")
    model, x = vgg19(said.weights), image(said.photo)
    baseline = image(None) * 0 - (torch.tensor([123.68, 116.779, 103.939])).view(1, 3, 1, 1)
    if said.only in (None, "path"):
        path_methods(model, x, baseline, loop=not said.no_loop)
    if said.only in (None, "captum"):
        layer_conductance(model, x, baseline)
    if said.only in (None, "plain"):
        plain_grad_cam()


if __name__ == "__main__":
    main()
