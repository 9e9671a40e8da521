"""A photo of an evaluation with its maps, as figures and the gallery show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path, PosixPath, WindowsPath

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from rsi_gradcam import datasets
from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.errors import ConfigurationError, RSIGradCAMError
from rsi_gradcam.evaluation.picture import COLUMNS as PICTURE
from rsi_gradcam.evaluation.picture import picture_of
from rsi_gradcam.images import Box, Preprocess
from rsi_gradcam.methods.base import Evidence
from rsi_gradcam.reporting.read_back import read_back
from rsi_gradcam.reporting.shown import evidence_by_name, scored
from rsi_gradcam.reporting.study import Study

DARK = 0.5  # of the heatmap's maximum, as the run counts them
PATHS = {each.__name__: Path for each in (Path, PosixPath, WindowsPath)}


@dataclass(frozen=True, eq=False)
class Specimen:
    """Maps are the heatmaps that were scored, at their layers' resolution; the photo may be out of reach."""

    name: str
    category: str
    probability: float | None
    maps: Mapping[tuple[str, str], Tensor]
    preprocess: Preprocess
    photo: Image.Image | None = None
    boxes: tuple[Box, ...] = ()  # in the photo's pixels
    picture: str = ""  # which the photo is: of several classes there are several specimens

    def is_dark(self, key: tuple[str, str]) -> bool:
        """Does the heatmap stay below one half?"""
        return float(self.maps[key].max()) < DARK

    @property
    def short(self) -> str:
        return self.category.split(",", maxsplit=1)[0]

    @property
    def title(self) -> str:
        return self.short if self.probability is None else f"{self.short}, {100 * self.probability:.3g}%"


@dataclass(frozen=True, eq=False)
class Specimens:
    """Where the photos of a study come from. `dataset` is None where its files are out of reach, `why` says it."""

    study: Study
    dataset: Dataset | None
    why: str = ""

    @classmethod
    def of(cls, study: Study) -> Specimens:
        """With the data set that the manifest names, if its files are there."""
        try:
            dataset = reopened(study)
            cls(study, dataset).examples  # noqa: B018 - reads it, or says why it cannot be
        except (RSIGradCAMError, OSError) as error:
            return cls(study, None, f"the data set's photos are out of reach: {error}")
        return cls(study, dataset)

    @cached_property
    def examples(self) -> Mapping[str, Example]:
        if self.dataset is None:
            return {}
        return {example.name: example for example in self.dataset.examples()}

    @cached_property
    def preprocess(self) -> Preprocess:
        found = read_back(self.study.configuration["network"]["preprocess"], {"Preprocess": Preprocess})
        if not isinstance(found, Preprocess):
            raise ConfigurationError(f"the manifest has no preprocessing, but {found!r}")
        return found

    def specimen(self, name: str, *, photo: bool = True) -> Specimen:
        """A kept photo by its name. Without its photo where that is not wanted or cannot be read."""
        columns = (*PICTURE, "category", "probability")
        rows = self.study.store.read(columns, photos=[name]).slice(0, 1).to_pylist()
        if not rows:
            raise ConfigurationError(f"the store has no maps of a photo {name!r}: names are in its column photo")
        (row,) = rows
        seen, boxes = self.seen(name) if photo else (None, ())
        category, p = self.category(row["category"]), row["probability"]
        return Specimen(name, category, p, self.maps(name), self.preprocess, seen, boxes, picture_of(row))

    def maps(self, name: str) -> Mapping[tuple[str, str], Tensor]:
        """The heatmaps of a photo as they were scored, from the raw maps in the store."""
        epsilon = float(self.study.configuration["explain"]["epsilon"])
        return {
            key: scored(torch.from_numpy(np.array(raw)), self.evidence[key[0]], epsilon)
            for key, raw in self.study.store.maps(name).items()
        }

    @cached_property
    def evidence(self) -> Mapping[str, Evidence]:
        return evidence_by_name(self.study.configuration)

    def category(self, index: int | None) -> str:
        categories = self.study.store.manifest["categories"]
        return str(categories[index]) if index is not None and index < len(categories) else f"class {index}"

    def seen(self, name: str) -> tuple[Image.Image | None, tuple[Box, ...]]:
        """The photo and its boxes, where both can be read."""
        example = self.examples.get(name)
        if example is None or self.dataset is None:
            return None, ()
        try:
            return self.dataset.photo(example), example.boxes
        except (RSIGradCAMError, OSError):
            return None, ()


@lru_cache(maxsize=1)
def specimens(study: Study) -> Specimens:
    """Those of the study that was asked for last: its data set is read once for all figures."""
    return Specimens.of(study)


def reopened(study: Study) -> Dataset:
    """The data set from its description in the manifest."""
    kinds = {kind.__name__: kind for kind in datasets.catalogue().values()}
    found = read_back(study.configuration["dataset"]["configuration"], {**kinds, **PATHS})
    if not isinstance(found, Dataset):
        raise ConfigurationError(f"the manifest has no data set, but {found!r}")
    return found
