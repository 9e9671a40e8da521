"""What is measured, and how: the same for every photo of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rsi_gradcam import catalog, controls, metrics
from rsi_gradcam.controls import Control
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.evaluation.selection import Selection
from rsi_gradcam.methods.base import Method
from rsi_gradcam.metrics import Metric, Preset
from rsi_gradcam.settings import Precision, Settings, settle
from rsi_gradcam.targets import SCORES, ClassTarget

METHODS = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam")


@dataclass(frozen=True)
class Protocol:
    """`protocol` makes one from what a person says."""

    methods: Mapping[str, Method]  # by the name that stands in the store
    layers: tuple[str, ...]  # friendly names or paths; none: the network's default
    metrics: tuple[Metric, ...]
    metric_preset: Preset
    controls: tuple[Control, ...]
    settings: Settings
    preset: Literal["paper"] | None
    score: str  # what of the class is explained: one of SCORES
    baseline: str = "black"
    path: str = "straight"
    selection: Selection = field(default_factory=Selection)
    seed: int = 0
    threads: int = 1

    @property
    def target(self) -> type[ClassTarget]:
        return SCORES[self.score]


def protocol(
    methods: Sequence[str] = METHODS,
    layers: Sequence[str] = (),
    *,
    metric_names: Sequence[str] | None = None,
    metric_preset: Preset = "paper",
    with_controls: bool | Sequence[str] = True,
    preset: Literal["paper", "none"] = "paper",
    steps: int | None = None,
    tolerance: float | None = None,
    max_passes: int | None = None,
    precision: Precision | None = None,
    epsilon: float | None = None,
    score: str | None = None,
    baseline: str = "black",
    path: str = "straight",
    selection: Selection | None = None,
    seed: int = 0,
    threads: int = 1,
) -> Protocol:
    """Names made things; with nothing said, the paper's experiment and the controls."""
    paper: Literal["paper"] | None = "paper" if preset == "paper" else None
    settings = settle(
        paper, steps=steps, tolerance=tolerance, max_passes=max_passes, precision=precision, epsilon=epsilon
    )
    catalog.baseline(baseline)
    catalog.path(path)
    if score is not None and score not in SCORES:
        raise ConfigurationError(f"score {score!r} is not known: {did_you_mean(score, SCORES)}")
    if threads < 1:
        raise ConfigurationError(f"threads must be 1 or more, got {threads}")
    usual = "softmax" if settings.paper else "probability"
    return Protocol(
        named(methods, paper=settings.paper),
        tuple(layers),
        metrics.chosen(metric_names, metric_preset),
        metric_preset,
        chosen_controls(with_controls),
        settings,
        paper,
        score or usual,
        baseline,
        path,
        selection or Selection(),
        seed,
        threads,
    )


def named(said: Sequence[str], *, paper: bool) -> dict[str, Method]:
    """Each method once, under the name that says how it differs from the usual."""
    if not said:
        raise ConfigurationError("methods must be a list of one or more names")
    made = [catalog.method(each, paper=paper) for each in said]
    return {catalog.name_of(each, paper=paper): each for each in made}


def chosen_controls(which: bool | Sequence[str]) -> tuple[Control, ...]:
    names = list(controls.catalogue()) if which is True else [] if which is False else list(which)
    return tuple(controls.by_name(name) for name in names)
