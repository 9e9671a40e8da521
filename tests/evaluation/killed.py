"""Runs an evaluation that is killed at random moments, then to its end: `python -m tests.evaluation.killed STORE 20`.

Each run is forked off a process that has everything imported, so that a moment costs no start of Python.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from rsi_gradcam.evaluation.store import Store
from tests.evaluation.small import Drawn, finished

SLOW = 0.01  # seconds that reading a photo takes, so that there is something to be in the middle of
LEAN: dict[str, Any] = {
    "methods": ["grad_cam", "rsi_grad_cam"],
    "layers": ["features.5"],
    "metric_names": ["energy"],
    "with_controls": False,
    "steps": 2,
}


class Slow(Drawn):
    """Says of itself what the quick one says: the same photos."""

    def photo(self, example):
        time.sleep(SLOW)
        return super().photo(example)

    def __repr__(self) -> str:
        return repr(Drawn())


def forked(folder: Path, said: Mapping[str, Any]) -> int:
    child = os.fork()
    if child == 0:
        finished(folder, Slow(), **said)
        os._exit(0)
    return child


def killed(folder: Path, moments: int, said: Mapping[str, Any]) -> list[int]:
    """Fills the store; gives for each moment how many parts were there when it was killed."""
    dice, kills, begun = random.Random(0), list[int](), time.perf_counter()
    os.waitpid(forked(folder, said), 0)
    whole = time.perf_counter() - begun
    shutil.rmtree(folder)
    while len(kills) < moments:
        child = forked(folder, said)
        time.sleep(dice.uniform(0, 0.6 * whole))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            kills.append(len(list(folder.glob("part-*"))))
        if (folder / "manifest.json").exists() and not Store.open(folder).missing():
            shutil.rmtree(folder)
    os.waitpid(forked(folder, said), 0)
    return kills


if __name__ == "__main__":
    torch.set_num_threads(1)
    sys.stdout.write(f"{len(killed(Path(sys.argv[1]), int(sys.argv[2]), LEAN))} killed\n")
