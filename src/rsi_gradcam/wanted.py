"""What walks are made for, and what they give: the integrals of each image, and maps to judge them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.explanation import Course, Forming
from rsi_gradcam.heatmap import normalise
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.methods.base import PathMethod
from rsi_gradcam.nodes import Point, Track
from rsi_gradcam.settings import Settings
from rsi_gradcam.sweep import Job
from rsi_gradcam.watching import UNWATCHED, Watch


@dataclass(frozen=True)
class Wanted:
    """The maps to make of these walks, and the integrals that they need."""

    jobs: tuple[Job, ...]
    tracks: tuple[Track, ...]
    cuts: Mapping[tuple[str, int], bool]  # (site, target) -> do all ways to what is explained pass the site?
    settings: Settings
    watch: Watch = UNWATCHED

    @classmethod
    def by(
        cls,
        jobs: Sequence[Job],
        cuts: Mapping[tuple[str, int], bool],
        settings: Settings,
        watch: Watch = UNWATCHED,
    ) -> Wanted:
        tracks = [job.track() for job in jobs] + [completeness(job) for job in jobs]
        return cls(tuple(jobs), tuple(dict.fromkeys(tracks)), cuts, settings, watch)

    def index(self, track: Track) -> int:
        return self.tracks.index(track)


def completeness(job: Job) -> Track:
    """The integral whose units add up to the change of the score, by the method's own rule."""
    track = job.track()
    return Track(UnitIntegral(track.integral.rule), track.site, track.target)


@dataclass(frozen=True)
class Integrated:
    """All that the walks gave for one image."""

    I: tuple[Tensor, ...]  # of each track, the mean over the walks  # noqa: E741
    A0: Mapping[str, Tensor]  # activations at the start, the mean over the walks
    y0: tuple[Tensor, ...]  # score of each target at the start
    errors: tuple[float, ...]  # of each job
    passes: int
    course: tuple[Course, ...]  # of each target, along the first walk
    half: bool = False  # was the part below the earliest layer in bfloat16?
    forming: tuple[Forming, ...] = ()  # of each job, along the first walk, where that was asked for


def mean(parts: Sequence[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.stack(list(parts)).mean(0)


def start_of(starts: Sequence[Point]) -> tuple[dict[str, Tensor], tuple[Tensor, ...]]:
    """Activations and scores at the start of one image's walks."""
    A0 = {site: mean([start.A[site] for start in starts]) for site in starts[0].A}
    return A0, tuple(mean([start.y[i] for start in starts]) for i in range(len(starts[0].y)))


def raw_map(job: Job, I: Tensor, A: Tensor, A0: Tensor) -> Tensor:  # noqa: E741
    """One image's raw map (1, h, w) from its integral."""
    method = job.method
    assert isinstance(method, PathMethod)
    return method.raw(method.localize(I[None], A[None], A0[None]))


def heat(job: Job, I: Tensor, A: Tensor, A0: Tensor, epsilon: float) -> Tensor:  # noqa: E741
    """One image's normalised map from its integral."""
    return normalise(job.method.shown(raw_map(job, I, A, A0)), epsilon)[0]


def raw_maps(
    wanted: Wanted, sums: Sequence[Tensor], A: Mapping[str, Tensor], A0: Mapping[str, Tensor]
) -> list[Tensor]:
    """Of each job, from the integrals as far as they have come."""
    return [raw_map(job, sums[wanted.index(job.track())], A[job.site], A0[job.site]) for job in wanted.jobs]


def formings(growing: Sequence[tuple[float, Sequence[Tensor]]]) -> tuple[Forming, ...]:
    """Of each job, from the maps of all jobs at each α."""
    alphas = tuple(alpha for alpha, _ in growing)
    return tuple(Forming(alphas, torch.cat(maps)) for maps in zip(*(maps for _, maps in growing), strict=True))


def distance(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().mean())


def courses(nodes: Sequence[tuple[float, tuple[Tensor, ...]]]) -> tuple[Course, ...]:
    """The score of each target by α."""
    ordered = sorted(nodes, key=lambda pair: pair[0])
    alphas = tuple(alpha for alpha, _ in ordered)
    count = len(ordered[0][1])
    return tuple(Course(alphas, tuple(float(y[target]) for _, y in ordered)) for target in range(count))
