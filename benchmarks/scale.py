"""100,000 photos planned, half run, resumed, told of and summarised: how long, and how much memory at most.

    python benchmarks/scale.py [PHOTOS] [--part-size 64] [--out FOLDER]

The maps are faked, since explaining is not what is measured; the plan, the store and all that reads it are real:
three methods at two layers and all controls, the paper's metrics with their curves. Each step is a process of its
own, and torch itself is in what its memory comes to.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 1024  # MiB
STEPS = ("plan", "half", "resume", "status", "summary")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=int, nargs="?", default=100_000)
    parser.add_argument("--part-size", type=int, default=64)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--steps", nargs="+", default=STEPS, choices=STEPS)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = said.out or Path(place, "store")
        print(f"{said.photos:,} photos in parts of {said.part_size}")
        most = max(measured(step, folder, said.photos, said.part_size) for step in said.steps)
        files = [path.stat().st_size for path in folder.iterdir()]
        print(f"store: {len(files)} files, {sum(files) / 2**20:.0f} MiB")
    if most >= LIMIT:
        sys.exit(f"{most:.0f} MiB are more than {LIMIT}")


def measured(step: str, folder: Path, photos: int, part_size: int) -> float:
    """The most memory that a step took."""
    steps = Path(__file__).with_name("faked_run.py")
    command = [sys.executable, steps, step, folder, str(photos), str(part_size)]
    found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.splitlines()[-1])
    time = f"{found['seconds']:6.1f} s ({found['busy']:.1f} of the processor)"
    memory = f"{found['peak']:4.0f} MiB ({found['imports']:.0f} by imports)"
    print(f"{step:8} {time}  {memory}  {found['said']}", flush=True)
    return float(found["peak"])


if __name__ == "__main__":
    main()
