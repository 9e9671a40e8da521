"""`kill -9` at random moments of a run, each time started again: is the store that of an undisturbed run?

    python benchmarks/kill.py [MOMENTS]

The paper's experiment with all controls on a tiny network; each run is forked off this process, as in the tests.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.evaluation.killed import killed
from tests.evaluation.small import everything, finished

from rsi_gradcam.evaluation.store import Store


def main(moments: int) -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        whole = everything(finished(Path(place, "undisturbed"), part_size=3))
        print(f"undisturbed: {whole.num_rows} rows in {time.perf_counter() - began:.1f} s")
        folder = Path(place, "killed")
        kills = killed(folder, moments, {})
        there = ", ".join(f"{count} × with {parts}" for parts, count in sorted(Counter(kills).items()))
        store = Store.open(folder)
        print(f"killed {len(kills)} times: {there} of {store.chunks} parts written")
        found = everything(store)
        left = sorted(path.name for path in folder.iterdir() if path.name.startswith("."))
        print(f"rows equal: {found.equals(whole)}; of {found.num_rows}; left behind: {left or 'nothing'}")
        sys.exit(0 if found.equals(whole) else "the rows differ")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
