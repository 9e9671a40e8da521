"""One photo: what the network says of it, its maps, and what every metric says of each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from rsi_gradcam.controls import Control
from rsi_gradcam.errors import ModelError
from rsi_gradcam.evaluation.again import Once, Others, Repeats, controls_at, view
from rsi_gradcam.evaluation.configuration import column_name
from rsi_gradcam.evaluation.looking import Eye, Place
from rsi_gradcam.evaluation.reading import Shot
from rsi_gradcam.evaluation.schema import Row, packed
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.metrics import Probe, Seen
from rsi_gradcam.metrics.base import Value
from rsi_gradcam.zoo.categories import find_label

DARK = 0.5  # of the heatmap's maximum


@dataclass(frozen=True, eq=False)
class Subject:
    """A photo that the network has seen."""

    shot: Shot
    eye: Eye
    seed: int
    label: int | None
    logits: Tensor  # (classes,)
    activations: Mapping[str, Tensor]

    @classmethod
    def of(cls, shot: Shot, eye: Eye, seed: int) -> Subject:
        label = shot.example.label
        category = None if label is None else find_label(eye.network.categories, label)
        return cls(shot, eye, seed, category, *eye.look(shot.pixels))

    @cached_property
    def predicted(self) -> int:
        return int(self.logits.argmax())

    @cached_property
    def category(self) -> int:
        """The class that is explained: the data set's, or else the network's."""
        return self.predicted if self.label is None else self.label

    @cached_property
    def left_out(self) -> str:
        return self.eye.protocol.selection.left_out(
            label=self.label, predicted=self.predicted, boxes=len(self.shot.example.boxes), share=self.shot.share
        )

    def known(self) -> dict[str, Any]:
        """The columns that all of the photo's rows have in common."""
        return {
            "label": self.label,
            "predicted": self.predicted,
            "category": self.category,
            "probability": float(self.logits.double().softmax(0)[self.category]),
            "left_out": self.left_out,
        }

    def rows(self, others: Callable[[], Others]) -> Iterator[Row]:
        """One for each map, measured."""
        begun = time.perf_counter()
        maps = self.maps()
        again = cache(lambda: Repeats(others(), self.shot, self.category, self.seed))
        seen = {place: self.seen(each, place, again) for place, each in maps.items()}
        answers = self.answers(seen)
        share = (time.perf_counter() - begun) / max(1, len(maps))  # of what was done for all of them at once
        for place, each in maps.items():
            begun = time.perf_counter()
            measured = {
                column_name(metric, column): plain(value)
                for metric in self.eye.protocol.metrics
                for column, value in metric.measure(seen[place], answers[place]).items()
            }
            yield {**row_of(each, place), **measured, "seconds": share + time.perf_counter() - begun}

    def maps(self) -> dict[Place, Made]:
        explained = self.eye.maps(self.shot.pixels, self.category)
        found = {place: Made.by_method(each) for place, each in explained.items()}
        for place, control in controls_at(self.eye).items():
            if self.shot.inside is not None or not control.boxed:
                found[place] = self.by_control(control, place)
        for (name, layer), each in found.items():
            if not torch.isfinite(each.raw).all():
                raise ModelError(f"the map of {name} at {layer} has values that are nan or infinite")
        return found

    def by_control(self, control: Control, place: Place) -> Made:
        network, epsilon = self.eye.network, self.eye.protocol.settings.epsilon
        raw = control.map(view(control, place, self.shot, self.eye, self.activations, self.seed))
        return Made(raw, control.heatmap(raw, network.preprocess.size, epsilon), control=control)

    def seen(self, made: Made, place: Place, again: Callable[[], Repeats]) -> Seen:
        device = self.eye.home
        boxed = made.control is not None and made.control.boxed
        return Seen(
            made.raw.float().to(device),
            made.heatmap.float().to(device),
            self.shot.pixels.to(device),
            None if self.shot.inside is None else self.shot.inside.to(device),
            self.shot.boxes,
            self.category,
            self.logits.float(),
            self.eye.network.preprocess,
            None if boxed else Once(again, place),
            "signed" if made.explanation is None else made.explanation.method.evidence,  # a control's is all drawn
        )

    def answers(self, seen: Mapping[Place, Seen]) -> dict[Place, dict[Probe, Tensor]]:
        """Each probe of each map, once, in one stream of batches."""
        probes = dict.fromkeys(probe for metric in self.eye.protocol.metrics for probe in metric.probes())
        asked = [(place, probe) for place in seen for probe in probes]
        found: dict[Place, dict[Probe, Tensor]] = {place: {} for place in seen}
        logits = self.eye.answers(probe.inputs(seen[place]) for place, probe in asked)
        for (place, probe), each in zip(asked, logits, strict=True):
            found[place][probe] = each.float()
        return found


@dataclass(frozen=True, eq=False)
class Made:
    """One map, by a method or by a control."""

    raw: Tensor  # (h, w)
    heatmap: Tensor  # (H, W)
    explanation: Explanation | None = None
    control: Control | None = None

    @classmethod
    def by_method(cls, explanation: Explanation) -> Made:
        return cls(explanation.raw[0], explanation.heatmap[0], explanation)

    @property
    def dark(self) -> bool:
        """Does the heatmap stay below one half? At the map's own resolution: enlarging it blunts its peaks."""
        own = self.heatmap if self.explanation is None else self.explanation.normalised
        return float(own.max()) < DARK


def row_of(made: Made, place: Place) -> dict[str, Any]:
    """The columns that say how a map came about, and the map itself where it lies at a layer."""
    name, layer = place
    kind = "method" if made.control is None else "control"
    row: dict[str, Any] = {"kind": kind, "method": name, "layer": layer, "dark": made.dark}
    if made.control is None or made.control.at_layer:
        row |= packed(made.raw.float().cpu().numpy())
    if (e := made.explanation) is not None:
        row |= {
            "score": finite(e.score[0]),
            "baseline_score": finite(e.baseline_score[0]),
            "residual": finite(e.residual[0]),
            "error_estimate": finite(e.error[0]),
            "passes": finite(e.passes[0]),
            "is_cut": e.is_cut,
            "converged": None if e.tolerance is None else bool(e.converged[0]),
        }
    return row


def finite(number: Tensor) -> float | None:
    plain = float(number)
    return plain if math.isfinite(plain) else None


def plain(value: Value) -> float | np.ndarray | None:
    """A number, or a curve in the precision of the store."""
    return float(value) if isinstance(value, int | float) else np.asarray(value, np.float32)
