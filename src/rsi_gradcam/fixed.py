"""The integral with a fixed number of steps, folded node by node, so that memory does not grow with them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from rsi_gradcam.nodes import Node, Point, Track, between, node
from rsi_gradcam.sweep import Group, Job
from rsi_gradcam.walks import Place, Walk
from rsi_gradcam.wanted import Integrated, Wanted, courses, distance, formings, heat, mean, raw_maps, start_of


def alphas_of(steps: int, tracks: Sequence[Track]) -> list[float]:
    """Where the path is looked at: its ends and each step, and each step's middle where a rule needs it."""
    count = steps * stride(tracks)
    return [index / count for index in range(count + 1)]


def stride(tracks: Sequence[Track]) -> int:
    """How many points a step takes."""
    return 2 if any(track.integral.rule == "midpoint" for track in tracks) else 1


@dataclass
class Fold:
    """The running sums of one walk. Nodes come in their order, each once.

    Beside each sum runs the same one with half the steps: the two tell how far off it is.
    """

    tracks: Sequence[Track]
    stride: int
    seen: int = 0
    last: dict[int, Node] = field(default_factory=dict)  # width of a step in points -> its left end
    middle: dict[int, Node] = field(default_factory=dict)
    sums: list[Tensor] = field(default_factory=list)
    coarse: list[Tensor] = field(default_factory=list)

    def add(self, node: Node) -> None:
        self.step(node, self.stride, self.sums)
        self.step(node, 2 * self.stride, self.coarse)
        self.seen += 1

    def step(self, node: Node, width: int, sums: list[Tensor]) -> None:
        place = self.seen % width
        if place == 0:
            if self.seen:
                self.close(self.last[width], node, width, sums)
            self.last[width] = node
        elif 2 * place == width:
            self.middle[width] = node

    def close(self, left: Node, right: Node, width: int, sums: list[Tensor]) -> None:
        for index, track in enumerate(self.tracks):
            if track.integral.rule == "midpoint":
                part = self.middle[width].F[index] * (right.Z[index] - left.Z[index])
            else:
                part = between(left, right, index, track.integral.rule)
            if len(sums) <= index:
                sums.append(part)
            else:
                sums[index] += part


def with_steps(walks: Sequence[Walk], wanted: Wanted, steps: int) -> list[Integrated]:
    alphas = alphas_of(steps, wanted.tracks)
    runs = [walk_with_steps(walk, wanted, alphas) for walk in walks]
    rows = range(len(walks[0].group.x))
    spent = sum(walk.spent for walk in walks)
    return [gather([run[row] for run in runs], walks[0].group, row, wanted, steps, spent) for row in rows]


@dataclass
class Walked:
    """One image's sums along one walk."""

    start: Point
    fold: Fold
    scores: list[tuple[float, tuple[Tensor, ...]]] = field(default_factory=list)
    growing: list[tuple[float, list[Tensor]]] = field(default_factory=list)  # the maps at each step, where asked for

    def take(self, point: Point, wanted: Wanted, A: Mapping[str, Tensor]) -> None:
        """`A` are the activations at the image."""
        self.fold.add(node(point, self.start.A, wanted.tracks))
        self.scores.append((point.alpha, point.y))
        if wanted.settings.forming and self.fold.sums and (self.fold.seen - 1) % self.fold.stride == 0:
            maps = raw_maps(wanted, self.fold.sums, A, self.start.A)
            self.growing = self.growing or [(self.start.alpha, [torch.zeros_like(each) for each in maps])]
            self.growing.append((point.alpha, maps))


def walk_with_steps(walk: Walk, wanted: Wanted, alphas: Sequence[float]) -> list[Walked]:
    starts, ends = walk.starts(), walk.ends()
    walked = [Walked(start, Fold(wanted.tracks, stride(wanted.tracks))) for start in starts]
    images = [end.A for end in ends]
    for each, A in zip(walked, images, strict=True):
        each.take(each.start, wanted, A)
    for places in batches(len(walked), alphas[1:-1], walk.sweep.batching.size):
        for (row, _), point in zip(places, walk.at(places), strict=True):
            walked[row].take(point, wanted, images[row])
    for each, end in zip(walked, ends, strict=True):
        each.take(end, wanted, end.A)
    return walked


def batches(rows: int, alphas: Sequence[float], size: int) -> Iterator[list[Place]]:
    """All points of all images, image after image, as many at once as the model gets."""
    places = [(row, alpha) for row in range(rows) for alpha in alphas]
    for begin in range(0, len(places), size):
        yield places[begin : begin + size]


def gather(walked: Sequence[Walked], group: Group, row: int, wanted: Wanted, steps: int, spent: int) -> Integrated:
    A0, y0 = start_of([each.start for each in walked])
    count = range(len(wanted.tracks))
    sums = [mean([each.fold.sums[i] for each in walked]) for i in count]
    errors = [math.nan] * len(wanted.jobs)
    if steps % 2 == 0:
        coarse = [mean([each.fold.coarse[i] for each in walked]) for i in count]
        errors = [halving_error(job, wanted, sums, coarse, group, row, A0) for job in wanted.jobs]
    passes = spent + sum(len(each.scores) for each in walked) - (len(walked) - 1)  # the image itself is seen once
    forming = formings(walked[0].growing) if wanted.settings.forming else ()
    return Integrated(tuple(sums), A0, y0, tuple(errors), passes, courses(walked[0].scores), forming=forming)


def halving_error(
    job: Job,
    wanted: Wanted,
    fine: Sequence[Tensor],
    coarse: Sequence[Tensor],
    group: Group,
    row: int,
    A0: Mapping[str, Tensor],
) -> float:
    """How far the map moved when the steps were doubled."""
    i, A, epsilon = wanted.index(job.track()), group.A[job.site][row], wanted.settings.epsilon
    return distance(heat(job, fine[i], A, A0[job.site], epsilon), heat(job, coarse[i], A, A0[job.site], epsilon))
