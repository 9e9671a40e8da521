"""The command line's own cost: a folder of photos against the bare sweep, one photo after imports, and --help.

The bare sweep is `explain` on tensors that are already there, in the groups that the command line makes of them.
Both run in this process, in turns; what they write goes to a folder that is thrown away.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from PIL import Image

from rsi_gradcam import Black, explain
from rsi_gradcam.cli.application import app
from rsi_gradcam.cli.explaining import AT_ONCE
from rsi_gradcam.images import read_photo
from rsi_gradcam.zoo import load

NAMES = ("astronaut", "coffee", "chelsea", "rocket")


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def photos(folder: Path, count: int, size: tuple[int, int] = (1024, 768)) -> list[Path]:
    """So many photos of one size, all different: parts of scikit-image's."""
    import skimage

    data = Path(skimage.__file__).parent / "data"
    made = []
    for index in range(count):
        whole = Image.open(next(data.glob(f"{NAMES[index % len(NAMES)]}.*"))).convert("RGB")
        part = whole.crop((index, index, whole.width - index // 2, whole.height - index // 3)).resize(size)
        made.append(folder / f"{index:03}.jpg")
        part.save(made[-1])
    return made


def command(*said: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        app([str(each) for each in said], standalone_mode=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--size", type=int, nargs=2, default=(1024, 768), metavar=("WIDTH", "HEIGHT"))
    said = parser.parse_args()
    network = load()
    black = Black(network.preprocess.mean, network.preprocess.std)
    with tempfile.TemporaryDirectory() as place:
        folder, out = Path(place, "photos"), Path(place, "out")
        folder.mkdir()
        paths = photos(folder, said.count, tuple(said.size))
        inputs = torch.stack([network.preprocess(read_photo(path)) for path in paths])

        def bare() -> None:
            for group in inputs.split(AT_ONCE):
                explain(network.network, group, network.default_layer, baseline=black)

        command("explain", paths[0], "--out", out)
        alone = seconds(lambda: command("explain", paths[0], "--out", out, "--tolerance", 0.01))
        print(f"one photo, tolerance 0.01, after imports: {alone:.2f} s")
        ratios = []
        for _ in range(said.times):
            sweep, whole = seconds(bare), seconds(lambda: command("explain", folder, "--out", out))
            ratios.append(sweep / whole)
            print(f"{said.count} photos: {sweep / whole:.3f} of the bare speed, {said.count / whole:.1f} a second")
        print(f"median {statistics.median(ratios):.3f}")
    program = Path(sys.executable).parent / "rsi-gradcam"
    helped = [seconds(lambda: subprocess.run([program, "--help"], capture_output=True, check=True)) for _ in range(5)]
    print(f"--help: {min(helped):.2f} s")


if __name__ == "__main__":
    main()
