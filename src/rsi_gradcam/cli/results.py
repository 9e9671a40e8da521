"""The files that are written for one map of one photo."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from rsi_gradcam.cli.description import Said
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.question import Answer
from rsi_gradcam.cli.record import Record
from rsi_gradcam.cli.whole_file import whole_file
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.overlay import overlay

KINDS = {"overlay": "overlay.png", "heatmap": "heatmap.png", "values": "npz", "record": "json"}


@dataclass(frozen=True)
class Results:
    """Where they go, and how they look."""

    record: Record

    def write(self, photo: Photo, answer: Answer, beside: Sequence[Answer]) -> Said:
        """The four files; what the last of them says."""
        files = self.files(photo, answer)
        e, look = answer.explanation, self.record.picture
        height, width = e.size
        preprocess = self.record.question.network.preprocess
        save_picture(overlay(photo.image, e.normalised[0], preprocess=preprocess, **asdict(look)), files["overlay"])
        save_picture(heatmap_picture(e.normalised[0], (width, height), colours=look.colours), files["heatmap"])
        save_values(e, files["values"])
        said = self.record.of(photo, answer, beside, files)
        save_json(said, files["record"])
        return said

    def files(self, photo: Photo, answer: Answer) -> dict[str, Path]:
        """photo.class.method.overlay.png and so on."""
        categories = self.record.question.network.categories
        category = () if answer.index is None else (file_name(categories[answer.index]),)
        parts = (photo.name, *category, answer.explanation.method.name)
        return {kind: self.record.out / ".".join((*parts, end)) for kind, end in KINDS.items()}


def file_name(text: str) -> str:
    """The first of a class's names, without what a file system might not like."""
    return re.sub(r"\W+", "_", text.split(",", maxsplit=1)[0].strip()).strip("_").lower() or "class"


def save_picture(picture: Image.Image, path: Path) -> None:
    with whole_file(path) as file:
        picture.save(file, "PNG", compress_level=1, compress_type=zlib.Z_RLE)  # of the quick ways the smallest


def save_json(said: Said | Sequence[Said], path: Path) -> None:
    with whole_file(path) as file:
        file.write(json.dumps(said, indent=2, ensure_ascii=False, allow_nan=False).encode())


def save_values(e: Explanation, path: Path) -> None:
    """raw and signed (h, w), weights (channels), and the course of the score along the path."""
    values = {"raw": e.raw[0], "signed": e.signed[0]} | ({} if e.weights is None else {"weights": e.weights[0]})
    arrays = {name: value.detach().cpu().numpy() for name, value in values.items()}
    for course in e.course:
        arrays |= {"alphas": np.array(course.alphas), "scores": np.array(course.scores)}
    with whole_file(path) as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # mypy takes them for allow_pickle
