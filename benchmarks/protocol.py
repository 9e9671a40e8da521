"""What the whole protocol costs for one photo of VGG-19, as multiples of things measured in the same run.

    python benchmarks/protocol.py photos.csv --weights vgg19.pth [--photos 5]

Three methods at two layers with the paper's metrics, 50 steps and tolerance 0.01, against the floor (51 images in
inference mode, at the batch size that suits it best) and against the authors' loop, method by method and layer by
layer, which makes the maps and measures nothing. Photo by photo in turns; medians.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from speed import LAYERS, METHODS, authors_loop, floor

from rsi_gradcam.datasets import Dataset, opened
from rsi_gradcam.evaluation.protocol import protocol
from rsi_gradcam.evaluation.reading import Shot, read
from rsi_gradcam.evaluation.running import Evaluation
from rsi_gradcam.evaluation.worker import Worker
from rsi_gradcam.zoo import Network, load

WAYS = {
    "50 steps": {"steps": 50, "with_controls": False},
    "50 steps, with all controls": {"steps": 50},
    "tolerance 0.01": {"tolerance": 0.01, "with_controls": False},
}


def worker(network: Network, dataset: Dataset, folder: Path, **how: object) -> Worker:
    said = protocol(METHODS, LAYERS, threads=torch.get_num_threads(), **how)  # type: ignore[arg-type]
    made = Worker(Evaluation.begin(folder, lambda: network, dataset, said, here=network).recipe, network)
    assert made.ready
    return made


def measured(made: Worker, photo: Shot) -> float | None:
    """Seconds; None where the selection leaves the photo out."""
    begin = time.perf_counter()
    rows = made.rows(photo)
    assert not rows[0]["error"], rows[0]["error"]
    return None if rows[0]["left_out"] else time.perf_counter() - begin


def loops(network: Network, photo: Shot) -> float:
    """Seconds of the authors' loop: two walks of 51 images at each layer, and one image there for plain Grad-CAM."""
    x = network.preprocess.normalise(photo.pixels)[None]
    baseline = network.preprocess.normalise(torch.zeros_like(photo.pixels))[None]
    network.network.requires_grad_(True)
    begin = time.perf_counter()
    for layer in LAYERS:
        authors_loop(network.network, x, baseline, layer, 50)
    seconds = time.perf_counter() - begin
    network.network.zero_grad()
    network.network.requires_grad_(False)
    return (2 + 1 / 51) * seconds


def told(found: Sequence[dict[str, float]]) -> None:
    for what in WAYS:
        floors = statistics.median(each[what] / each["floor"] for each in found)
        times = statistics.median(each["loops"] / each[what] for each in found)
        print(f"{what:28} {floors:.2f} × the floor; the authors' loop takes {times:.1f} × as long")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--photos", type=int, default=5)
    said = parser.parse_args()
    network, dataset = load("vgg19", weights=said.weights, preprocess="keras_vgg"), opened(said.manifest)
    examples, found = dataset.examples(), list[dict[str, float]]()
    with tempfile.TemporaryDirectory() as place:
        workers = {name: worker(network, dataset, Path(place, name), **how) for name, how in WAYS.items()}
        for index, example in enumerate(examples):
            photo = read(index, example, dataset, network.preprocess)
            if measured(next(iter(workers.values())), photo) is None:
                continue
            times = {name: min(measured(made, photo) or 0 for _ in range(2)) for name, made in workers.items()}
            times["floor"], size = floor(
                network.network, network.preprocess.normalise(photo.pixels)[None], 51, (4, 8, 16)
            )
            times["loops"] = loops(network, photo)
            found.append(times)
            seconds = ", ".join(f"{name} {value:.2f} s" for name, value in times.items())
            print(f"{example.name}: {seconds} (batches of {size})", flush=True)
            if len(found) == said.photos:
                break
    told(found)


if __name__ == "__main__":
    main()
