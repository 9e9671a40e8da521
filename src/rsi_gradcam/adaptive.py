"""The integral to a tolerance: each image's path is looked at more closely until all its maps have settled."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import torch
from torch import Tensor

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.explanation import Forming
from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.nodes import Node, Point, Track, node
from rsi_gradcam.refine import FIRST, Refinement
from rsi_gradcam.sweep import Group, Job
from rsi_gradcam.walks import Walk
from rsi_gradcam.wanted import (
    Integrated,
    Wanted,
    completeness,
    courses,
    distance,
    formings,
    heat,
    mean,
    raw_maps,
    start_of,
)

DOUBT = 0.8  # of the tolerance: what rounding may use up of it
ASTRAY = 0.5  # of the score's range along the path: who misses more has not seen where it changes
POINTS_A_ROUND = 2  # of each image: two at a time lost nothing against one, and fill a batch better


def to_tolerance(walks: Sequence[Walk], wanted: Wanted) -> list[Integrated]:
    states = begin(walks, wanted)
    active = states
    while active:
        asked = [(state, place) for state in active for place in state.next_places()]
        for index, half in product(range(len(walks)), (True, False)):
            mine = [(state, alpha) for state, (which, alpha) in asked if which == index and state.half == half]
            points = walks[index].at([(state.row, alpha) for state, alpha in mine], half=half)
            for (state, _), point in zip(mine, points, strict=True):
                state.take(index, point)
        for state in active:
            state.judge()
        tell(states, wanted)
        active = [state for state in active if not state.finished()]
    return [state.result() for state in states]


def tell(states: Sequence[Refining], wanted: Wanted) -> None:
    maps = {job.key: torch.stack([state.maps[i] for state in states]) for i, job in enumerate(wanted.jobs)}
    wanted.watch.refined(max(max(state.errors) for state in states), maps)


def begin(walks: Sequence[Walk], wanted: Wanted) -> list[Refining]:
    """Each image with the ends of its walks; those in full precision of which less would use up the tolerance."""
    assert wanted.settings.tolerance is not None
    check_passes(len(walks), wanted.settings.max_passes)
    half = walks[0].half
    ends = len(walks) + (len(walks) + 1 if half else 1)
    states = ends_of(walks, wanted, ends + sum(walk.spent for walk in walks), half=half)
    bound = DOUBT * wanted.settings.tolerance
    if all(max(state.doubt) <= bound for state in states):
        return states
    exact = ends_of(walks, wanted, states[0].passes + len(walks), half=False)
    return [state if max(state.doubt) <= bound else other for state, other in zip(states, exact, strict=True)]


def check_passes(walks: int, allowed: int) -> None:
    """An error where not even one point between the ends of each walk may be looked at."""
    needed = 1 + 2 * walks
    if needed > allowed:
        raise ConfigurationError(
            f"{walks} baselines need at least {needed} passes of the model for each image, max_passes={allowed} "
            f"allows fewer: raise it, take fewer baselines, or fixed steps"
        )


def ends_of(walks: Sequence[Walk], wanted: Wanted, passes: int, *, half: bool) -> list[Refining]:
    starts, ends = [walk.starts(half=half) for walk in walks], [walk.ends(half=half) for walk in walks]
    return [
        Refining(wanted, walks[0].group, row, [s[row] for s in starts], [e[row] for e in ends], passes, half=half)
        for row in range(len(walks[0].group.x))
    ]


class Refining:
    """One image: its walks' refinements, its maps so far, and how far they may still be off."""

    def __init__(
        self,
        wanted: Wanted,
        group: Group,
        row: int,
        starts: Sequence[Point],
        ends: Sequence[Point],
        passes: int,
        *,
        half: bool,
    ) -> None:
        self.wanted, self.row, self.passes, self.half = wanted, row, passes, half
        self.A = {site: A[row] for site, A in group.A.items()}
        self.starts = starts
        self.A0, self.y0 = start_of(starts)
        conserving = torch.tensor(
            [
                isinstance(track.integral, UnitIntegral)
                and not track.integral.positive_gradients
                and group.bound[track.target].conserves
                and wanted.cuts.get((track.site, track.target), False)
                for track in wanted.tracks
            ]
        )
        self.conserving = conserving.tolist()
        self.walks = [
            Refinement.begin(
                wanted.tracks,
                conserving,
                node(start, start.A, wanted.tracks),
                node(end, start.A, wanted.tracks),
            )
            for start, end in zip(starts, ends, strict=True)
        ]
        self.maps: list[Tensor] = []
        self.changes: list[list[float]] = [[] for _ in wanted.jobs]
        self.doubt = [rounding(job, wanted, group, row, starts[0], ends[0]) for job in wanted.jobs]
        self.errors = [math.inf] * len(wanted.jobs)
        self.exhausted = False

    def next_places(self) -> list[tuple[int, float]]:
        """(walk, α) of the points to look at next."""
        left = max(0, self.wanted.settings.max_passes - self.passes)
        if not self.maps:
            return [(index, alpha) for alpha in FIRST for index in range(len(self.walks))][:left]
        wanted = self.unsettled_tracks()
        found = [
            (need, index, alpha)
            for index, walk in enumerate(self.walks)
            for alpha, need in walk.worst(POINTS_A_ROUND, wanted)
        ]
        found.sort(key=lambda each: -each[0])
        self.exhausted = not found
        return [(index, alpha) for _, index, alpha in found[: min(left, POINTS_A_ROUND * len(self.walks))]]

    def unsettled_tracks(self) -> Tensor:
        unsettled = [job for job, ok in zip(self.wanted.jobs, self.settled(), strict=True) if not ok]
        tracks = {self.wanted.index(track) for job in unsettled for track in (job.track(), self.lost(job)) if track}
        return torch.tensor([index in tracks for index in range(len(self.wanted.tracks))])

    def lost(self, job: Job) -> Track | None:
        """The integral that tells that a map's walks have not seen where the score changes, if they have not."""
        track = completeness(job)
        return track if self.missing(self.wanted.index(track)) > ASTRAY else None

    def missing(self, index: int) -> float:
        """What an integral that must add up to the score's change misses of it, against the score's range."""
        return max(walk.missing(index) for walk in self.walks) if self.conserving[index] else 0.0

    def settled(self) -> list[bool]:
        assert self.wanted.settings.tolerance is not None
        return [error <= self.wanted.settings.tolerance for error in self.errors]

    def take(self, walk: int, point: Point) -> None:
        self.walks[walk].halve(node(point, self.starts[walk].A, self.wanted.tracks))
        self.passes += 1

    def judge(self) -> None:
        """The estimated error of each map: the correction it holds and how far it still moved; and rounding,

        which knows nothing of these, so that squares are added. A map that stands still while its integrals miss
        most of the score's change has settled on nothing: it may be off by any amount.
        """
        results = [walk.result() for walk in self.walks]
        corrected = self.heats([mean(parts) for parts in zip(*results, strict=True)])
        plain = self.heats([mean(parts) for parts in zip(*(walk.plain for walk in self.walks), strict=True)])
        for index, (now, uncorrected) in enumerate(zip(corrected, plain, strict=True)):
            if self.maps:
                self.changes[index].append(distance(now, self.maps[index]))
            recent = self.changes[index][-2:]
            moved = max(recent) if len(recent) == 2 else (0.0 if self.exhausted else math.inf)
            error = math.hypot(distance(now, uncorrected) + moved, self.doubt[index])
            self.errors[index] = max(error, 1.0) if self.lost(self.wanted.jobs[index]) else error
        self.maps = corrected

    def heats(self, integrals: Sequence[Tensor]) -> list[Tensor]:
        epsilon = self.wanted.settings.epsilon
        return [
            heat(job, integrals[self.wanted.index(job.track())], self.A[job.site], self.A0[job.site], epsilon)
            for job in self.wanted.jobs
        ]

    def finished(self) -> bool:
        full = self.passes >= self.wanted.settings.max_passes
        return self.exhausted or full or all(self.settled())

    def result(self) -> Integrated:
        results = [walk.result() for walk in self.walks]
        first = self.walks[0].nodes.values()
        return Integrated(
            tuple(mean(parts) for parts in zip(*results, strict=True)),
            self.A0,
            self.y0,
            tuple(self.errors),
            self.passes,
            courses([(each.alpha, each.y) for each in first]),
            self.half,
            self.forming() if self.wanted.settings.forming else (),
        )

    def forming(self) -> tuple[Forming, ...]:
        growing = self.walks[0].growing()
        return formings([(alpha, raw_maps(self.wanted, sums, self.A, self.A0)) for alpha, sums in growing])


def rounding(job: Job, wanted: Wanted, group: Group, row: int, start: Point, end: Point) -> float:
    """What lower precision does to the map of a one-step integral: 0 where the walk is in full precision."""
    full = group.end(row)
    if all(end.A[site] is full.A[site] or torch.equal(end.A[site], full.A[site]) for site in end.A):
        return 0.0
    track, A, epsilon = job.track(), group.A[job.site][row], wanted.settings.epsilon

    def one_step(last: Node, first: Node) -> Tensor:
        return heat(job, last.F[0] * (last.Z[0] - first.Z[0]), A, start.A[job.site], epsilon)

    first, lower, upper = (node(point, start.A, (track,)) for point in (start, end, full))
    return distance(one_step(lower, first), one_step(upper, first))
