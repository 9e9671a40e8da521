"""What a metric is: numbers that say how good one map of one photo is.

A file holds the formula first, as a pure function of tensors, and then the metric: a frozen dataclass of its
conventions that gives the formula what it needs. What needs the network says so by probes: inputs whose answers
the runner fetches in batches, each once for all metrics that ask the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import ClassVar, Literal, Protocol

import numpy as np
import torch
from torch import Tensor

from rsi_gradcam.images.box import Box
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.methods.base import Evidence, evident

Value = float | Sequence[float]  # a number of a photo's map, or a curve of fixed length; nan: there is none
Better = Literal["higher", "lower", "neither"]
Columns = Mapping[str, np.ndarray]  # column → (photos,) or (photos, points), float64
Preset = Literal["paper", "pytorch-grad-cam", "torchcam", "quantus", "xplique"]


class Again(Protocol):
    """The same map once more, on other terms: raw, (h, w) at the map's resolution. Costs an explanation each."""

    def of(self, pixels: Tensor) -> Tensor:
        """Of other pixels (3, H, W) in 0..1, for the same class."""

    def in_double(self) -> Tensor:
        """With network and sums in float64."""

    def randomised(self, share: float, seed: int) -> Tensor:
        """With the weights of the last `share` of the network's layers drawn anew, from the output downwards."""


@dataclass(frozen=True, eq=False)
class Seen:
    """One map of one photo, and all that a metric may know. Tensors are float32 on one device."""

    raw: Tensor  # (h, w) at the layer's resolution, not normalised
    heatmap: Tensor  # (H, W) in [0, 1] at the input's size, normalised with the run's ε
    pixels: Tensor  # (3, H, W) in 0..1: the photo as the network sees it
    inside: Tensor | None  # (H, W) bool: pixels whose centre lies in any of the boxes; None without boxes
    boxes: tuple[Box, ...]  # the same, by their edges in the input's pixels
    category: int  # the class that was explained
    logits: Tensor  # (classes,): the network's answer to the photo itself
    preprocess: Preprocess  # `normalise` turns pixels into what the network expects
    again: Again | None = None  # None where the map cannot be made again (a control that looks at boxes)
    evidence: Evidence = "positive"  # what of the raw map the heatmap shows

    @cached_property
    def probability(self) -> float:
        """The class's, of the photo itself."""
        return float(self.logits.double().softmax(0)[self.category])

    @cached_property
    def shown(self) -> Tensor:
        """(h, w): what of the raw map the heatmap shows, not normalised."""
        return evident(self.raw, self.evidence)

    @cached_property
    def mask(self) -> Tensor:
        """(H, W) bool, as `inside`; without boxes nothing is."""
        return torch.zeros_like(self.heatmap, dtype=torch.bool) if self.inside is None else self.inside

    @cached_property
    def boxed(self) -> bool:
        """Is any pixel in a box?"""
        return bool(self.mask.any())

    @cached_property
    def dark(self) -> bool:
        """Is the heatmap below one half everywhere? Then it is never a hit, wherever its light is."""
        return not bool(self.heatmap.amax() >= 0.5)

    @cached_property
    def blank(self) -> bool:
        """Is the heatmap 0 everywhere? Then it says nothing."""
        return not bool((self.heatmap > 0).any())


class Probe(ABC):
    """Inputs whose logits a metric needs. Frozen: equal probes are fetched once for all metrics of a map."""

    @abstractmethod
    def inputs(self, seen: Seen) -> Tensor:
        """(n, 3, H, W), as the network expects them."""


Answers = Mapping[Probe, Tensor]  # probe → logits (n, classes)


class Metric(ABC):
    """One measure with its conventions as fields. Its file's name is its name everywhere."""

    name: ClassVar[str]
    summary: ClassVar[str]  # one line, for lists
    better: ClassVar[Better]
    better_by: ClassVar[Mapping[str, Better]] = {}  # of those columns for which it is another
    boxed: ClassVar[bool] = False  # does it need boxes?
    cost: ClassVar[Literal["nothing", "passes", "explanations"]] = "nothing"
    columns: ClassVar[tuple[str, ...]] = ("",)  # of its numbers and curves; "" is the metric's own name
    headline: ClassVar[tuple[str, ...]] = ("",)  # those columns that are numbers and whose means go into tables
    presets: ClassVar[Mapping[Preset, Mapping[str, object]]] = {}  # fields as others have them

    def points(self) -> Sequence[float] | None:
        """The grid of the curves' abscissa (thresholds, shares …), where the metric has curves."""
        return None

    def probes(self) -> tuple[Probe, ...]:
        """What the network has to be asked."""
        return ()

    @abstractmethod
    def measure(self, seen: Seen, answers: Answers) -> Mapping[str, Value]:
        """Each column's value for one map. A blank map gets the worst value, never nan; a dark one is never a hit."""

    def worst(self) -> Mapping[str, Value]:
        """Each column's value for a map that says nothing."""
        return {}

    def worst_of(self, seen: Seen) -> Mapping[str, Value]:  # noqa: ARG002
        """The same for a map of this photo, where the worst that there can be hangs on the photo."""
        return self.worst()

    def absent(self) -> Mapping[str, Value]:
        """Each column's value where the metric does not apply: nan, or a curve of it."""
        return {
            column: nan if isinstance(value, float | int) else [nan] * len(value)
            for column, value in self.worst().items()
        }

    def beforehand(self, seen: Seen) -> Mapping[str, Value] | None:
        """What needs no measuring: absent without a pixel in a box, where boxes are needed; worst if blank."""
        if self.boxed and not seen.boxed:
            return self.absent()
        return self.worst_of(seen) if seen.blank else None

    def direction(self, column: str = "") -> Better:
        """What is better for a column."""
        return self.better_by.get(column, self.better)

    def pooled(self, columns: Columns, choosing: np.ndarray) -> Mapping[str, float]:  # noqa: ARG002
        """Numbers of the whole set that are no mean over its photos; `choosing` (photos,) bool marks the split
        on which thresholds are chosen, the rest is scored."""
        return {}
