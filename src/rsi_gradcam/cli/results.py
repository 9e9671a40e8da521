"""The files that are written for one map of one photo."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from PIL import Image

from rsi_gradcam import catalog
from rsi_gradcam.cli.answer import Answer
from rsi_gradcam.cli.description import Said
from rsi_gradcam.cli.file_names import class_words, file_name, word
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.record import Record
from rsi_gradcam.cli.whole_file import whole_file
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.look import Look
from rsi_gradcam.figures.overlay import overlay
from rsi_gradcam.figures.picture import picture
from rsi_gradcam.figures.sheet import to_image
from rsi_gradcam.figures.shown import shown

KINDS = {"overlay": "overlay.png", "heatmap": "heatmap.png", "values": "npz", "record": "json"}
TITLED = {"titled": "titled.png"}


@dataclass(frozen=True)
class Results:
    """Where they go, and how they look."""

    record: Record

    def write(self, photo: Photo, answer: Answer, beside: Sequence[Answer]) -> Said:
        """The files; what the last of them says."""
        files = self.files(photo, answer)
        e, look = answer.explanation, self.record.picture
        height, width = e.size
        preprocess = self.record.question.network.preprocess
        drawn = shown(e)
        laid: Look = {**look.look(), "preprocess": preprocess}
        save_picture(overlay(photo.image, drawn, **laid), files["overlay"])
        save_picture(heatmap_picture(drawn, (width, height), colours=look.colours), files["heatmap"])
        save_values(e, files["values"])
        if "titled" in files:
            network = self.record.question.network
            save_picture(to_image(picture(photo.image, e, network=network, **look.look())), files["titled"])
        said = self.record.of(photo, answer, beside, files)
        save_json(said, files["record"])
        return said

    def files(self, photo: Photo, answer: Answer) -> dict[str, Path]:
        """photo.class.method.layer.overlay.png and so on."""
        e = answer.explanation
        category = () if answer.index is None else (self.class_words[answer.index],)
        parts = (*category, word(catalog.name_of(e.method)), self.layer_words.get(e.layer, word(e.layer)))
        kinds = KINDS | (TITLED if getattr(self.record.picture, "titled", False) else {})
        return {kind: self.record.out / file_name(photo.name, *parts, end) for kind, end in kinds.items()}

    @cached_property
    def class_words(self) -> list[str]:
        return class_words(self.record.question.network.categories)

    @cached_property
    def layer_words(self) -> dict[str, str]:
        """By its path, the name that a person would give a layer."""
        return {path: word(name) for name, path in self.record.question.network.layers.items()}


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
