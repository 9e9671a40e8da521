"""How far maps are off, against 1024 steps: by tolerance, by passes, and by the paper's steps.

The networks are the built-in EfficientNet-Lite0 with scikit-image's photos, and VGG-19 with weights and photos of
your own. Errors are mean absolute differences of normalised maps at the layer's resolution.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from rsi_gradcam import Black, Explanation, RSIGradCAM, explain, explain_all
from rsi_gradcam.images import read_photo
from rsi_gradcam.zoo import Network, load

PHOTOS = ("astronaut", "coffee", "chelsea", "rocket", "hubble_deep_field", "retina", "ihc", "camera", "coins")


def skimage_photos() -> list[Path]:
    import skimage

    folder = Path(skimage.__file__).parent / "data"
    return [next(folder.glob(f"{name}.*")) for name in PHOTOS]


def off(one: Explanation, other: Explanation) -> float:
    return float((one.normalised - other.normalised).abs().mean())


def fixed(network: Network, x: Tensor, layers: list[str], steps: int, method: RSIGradCAM) -> list[Explanation]:
    """Every layer from one walk of so many steps."""
    model, black = network.network, Black(network.preprocess.mean, network.preprocess.std)
    return list(explain_all(model, x, layers, [method], baseline=black, steps=steps).values())


def errors_of(network: Network, x: Tensor, layers: list[str]) -> Iterator[tuple[Explanation, dict[str, float]]]:
    """For each layer what a tolerance gives, and the true error of that and of others."""
    model, black = network.network, Black(network.preprocess.mean, network.preprocess.std)
    plain, right = RSIGradCAM(), RSIGradCAM(rule="right")
    truths = fixed(network, x, layers, 1024, plain)
    others = {
        "trapezoid, 24 steps": fixed(network, x, layers, 24, plain),
        "trapezoid, 50 steps": fixed(network, x, layers, 50, plain),
        "right, 50 steps": fixed(network, x, layers, 50, right),
    }
    for place, (layer, truth) in enumerate(zip(layers, truths, strict=True)):
        e = explain(model, x, layer, baseline=black, tolerance=0.01)
        capped = explain(model, x, layer, baseline=black, tolerance=1e-6, max_passes=25, precision="float32")
        found = {"tolerance 0.01": off(e, truth), "25 passes": off(capped, truth)}
        yield e, found | {what: off(maps[place], truth) for what, maps in others.items()}


def compare(network: Network, photos: list[Path], layers: list[str]) -> None:
    found: dict[str, list[float]] = {}
    passes: list[int] = []
    for photo in photos:
        x = network.preprocess(read_photo(photo))[None]
        for e, errors in errors_of(network, x, layers):
            passes.append(int(e.passes[0]))
            for what, error in errors.items():
                found.setdefault(what, []).append(error)
            print(
                f"{photo.stem:30s} {e.layer:12s} p {float(e.score[0]):.4f}  {passes[-1]:3d} passes, {e.precision}, "
                f"estimated {float(e.error[0]):.4f}, true {errors['tolerance 0.01']:.4f}",
                flush=True,
            )
    within = sum(error <= 0.01 for error in found["tolerance 0.01"]) / len(passes)
    print(f"{network.name}: {len(passes)} pairs, {within:.1%} within 0.01, median {statistics.median(passes)} passes")
    for what, errors in found.items():
        print(f"  {what:22s} mean {statistics.mean(errors):.4f}  worst {max(errors):.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vgg19", help="state dict of VGG-19 with the Keras weights")
    parser.add_argument("--photos", type=Path, help="a folder of photos for it")
    parser.add_argument("--count", type=int, default=20, help="how many of them, evenly spread")
    said = parser.parse_args()
    torch.set_grad_enabled(False)
    if said.vgg19:
        photos = sorted(said.photos.iterdir())
        chosen = photos[:: max(1, len(photos) // said.count)][: said.count]
        compare(load("vgg19", weights=said.vgg19, preprocess="keras_vgg"), chosen, ["features.27", "features.36"])
    else:
        network = load()
        compare(network, skimage_photos(), ["blocks.4", "blocks.5", network.default_layer])


if __name__ == "__main__":
    main()
