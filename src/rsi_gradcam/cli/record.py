"""What is written beside a picture: what is known of it, and everything that is needed to make it again."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import torch

from rsi_gradcam.cli.answer import Answer
from rsi_gradcam.cli.choices import NetworkChoice, PictureChoice
from rsi_gradcam.cli.description import Json, Said, description
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.question import Question
from rsi_gradcam.explanation import Explanation


@dataclass(frozen=True)
class Record:
    """What is the same for all photos of a run."""

    command: Literal["explain", "compare"]
    question: Question
    network: NetworkChoice
    picture: PictureChoice
    out: Path

    def of(self, photo: Photo, answer: Answer, beside: Sequence[Answer], files: Mapping[str, Path]) -> Said:
        """Of one map. `beside` are all that were made with it: they settle which points of the path are seen."""
        return {
            **description(photo, answer, self.question.network),
            "files": {name: str(path) for name, path in files.items()},
            "made_by": self.made_by(photo, answer.explanation, beside),
        }

    def made_by(self, photo: Photo, e: Explanation, beside: Sequence[Answer]) -> Said:
        network, plan = self.question.network, self.question.plan
        return {
            "method": repr(e.method),
            "baseline": repr(self.question.baseline) if plan.path.from_baseline else None,
            "path": repr(plan.path),
            "settings": asdict(plan.settings),
            "precision": e.precision,
            "network": network.name,
            "weights": network.weights,
            "weights_sha256": network.weights_hash,
            "preprocess": repr(network.preprocess),
            "device": self.network.device,
            "threads": torch.get_num_threads(),
            "versions": versions(),
            "folder": str(Path.cwd()),
            "command": shlex.join(["rsi-gradcam", *sys.argv[1:]]),
            "again": shlex.join(self.again(photo, beside)),
        }

    def again(self, photo: Photo, beside: Sequence[Answer]) -> list[str]:
        """The command for this photo alone, with nothing left to chance."""
        classes = dict.fromkeys(str(answer.index) for answer in beside if answer.index is not None)
        choice = replace(self.question.plan.choice, layer=tuple(self.question.layers), target=tuple(classes))
        options = [*self.network.arguments(), *choice.arguments(), *self.picture.arguments()]
        return ["rsi-gradcam", self.command, str(photo.path), *options, "--out", str(self.out)]


def versions() -> dict[str, Json]:
    packages = {name: version(name) for name in ("rsi-gradcam", "torch", "numpy", "Pillow")}
    return {**packages, "python": platform.python_version(), "system": platform.platform()}
