"""The integral to a tolerance: intervals are halved where their left and right sums lie farthest apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from rsi_gradcam.nodes import Node, Track, between
from rsi_gradcam.stieltjes import gap, richardson

FIRST = (0.5, 0.25, 0.75)  # the points looked at before anything is known, in the order of their halving

NARROWEST = 2.0**-20  # images in float32 hardly tell nearer points apart
ROUNDED = 64  # times the last digit: a score that moves less along the path does not move
MISSED = 3.0  # what a missed part of the score counts against a gap of the same size

Interval = tuple[float, float]


@dataclass
class Refinement:
    """One walk's intervals and sums.

    `plain` is the trapezoid sum. Halving an interval also tells that sum's error there (Richardson); the two
    halves share the correction until they are halved themselves. `plain + correction` is the result.
    """

    tracks: Sequence[Track]
    conserving: Tensor  # track: do its units add up to the change of the score?
    nodes: dict[float, Node]
    plain: list[Tensor] = field(default_factory=list)
    correction: list[Tensor] = field(default_factory=list)
    shares: dict[Interval, list[Tensor]] = field(default_factory=dict)
    gaps: dict[Interval, Tensor] = field(default_factory=dict)  # interval -> track

    @classmethod
    def begin(cls, tracks: Sequence[Track], conserving: Tensor, start: Node, end: Node) -> Refinement:
        walk = cls(tracks, conserving, {start.alpha: start, end.alpha: end})
        whole = (start.alpha, end.alpha)
        walk.plain = walk.sums(whole)
        walk.correction = [torch.zeros_like(part) for part in walk.plain]
        walk.shares[whole] = walk.correction
        walk.gaps[whole] = walk.gap(whole)
        return walk

    def sums(self, interval: Interval) -> list[Tensor]:
        left, right = (self.nodes[alpha] for alpha in interval)
        return [between(left, right, index, "trapezoid") for index in range(len(self.tracks))]

    def gap(self, interval: Interval) -> Tensor:
        """How much each track may be off here: its gap, and the change of the score that its sum misses.

        The latter sees a jump of the score between two points at both of which the gradient is flat.
        """
        left, right = (self.nodes[alpha] for alpha in interval)
        sums = self.sums(interval)
        found = []
        for i, track in enumerate(self.tracks):
            size = track.integral.size(gap(left.F[i], right.F[i], left.Z[i], right.Z[i]))
            if self.conserving[i]:
                change = right.y[track.target] - left.y[track.target]
                size = size + MISSED * (change - sums[i].sum()).abs()
            found.append(size)
        return torch.stack(found)

    def halve(self, node: Node) -> None:
        """Take in the middle of an interval."""
        whole = next(ends for ends in self.gaps if ends[0] < node.alpha < ends[1])
        before = self.sums(whole)
        self.nodes[node.alpha] = node
        halves = ((whole[0], node.alpha), (node.alpha, whole[1]))
        after = [left + right for left, right in zip(*(self.sums(half) for half in halves), strict=True)]
        found = [richardson(coarse, fine) for coarse, fine in zip(before, after, strict=True)]
        old = self.shares.pop(whole)
        self.plain = [p + a - b for p, a, b in zip(self.plain, after, before, strict=True)]
        self.correction = [c + d - s for c, d, s in zip(self.correction, found, old, strict=True)]
        del self.gaps[whole]
        for half in halves:
            self.shares[half] = [part / 2 for part in found]
            self.gaps[half] = self.gap(half)

    def growing(self) -> list[tuple[float, list[Tensor]]]:
        """The result from the start of the walk up to each of its points."""
        total = [torch.zeros_like(part) for part in self.plain]
        found = [(min(self.nodes), total)]
        for interval in sorted(self.gaps):
            parts = zip(total, self.sums(interval), self.shares[interval], strict=True)
            total = [before + part + share for before, part, share in parts]
            found.append((interval[1], total))
        return found

    def result(self) -> list[Tensor]:
        return [p + c for p, c in zip(self.plain, self.correction, strict=True)]

    def missing(self, index: int) -> float:
        """What the sum of a track's units misses of the score's change, against the score's range along the path."""
        target = self.tracks[index].target
        ordered = [self.nodes[alpha].y[target] for alpha in sorted(self.nodes)]
        scores = torch.stack(ordered)
        span = float(scores.max() - scores.min())
        total = self.plain[index].sum() + self.correction[index].sum()
        seen = span > ROUNDED * torch.finfo(scores.dtype).eps * float(scores.abs().max())
        return abs(float(total - (scores[-1] - scores[0]))) / span if seen else 0.0

    def worst(self, count: int, wanted: Tensor) -> list[tuple[float, float]]:
        """The middles most worth a look, each with how much it matters; `wanted` marks the tracks that count."""
        intervals = [(left, right) for left, right in self.gaps if right - left > NARROWEST]
        if not intervals:
            return []
        gaps = torch.stack([self.gaps[interval] for interval in intervals])  # interval track
        shares = torch.where(wanted.to(gaps.device), gaps / gaps.sum(0).clamp(min=torch.finfo(gaps.dtype).tiny), 0.0)
        need, order = shares.amax(1).topk(min(count, len(intervals)))
        return [
            (sum(intervals[place]) / 2, value)
            for place, value in zip(order.tolist(), need.tolist(), strict=True)
            if value > 0
        ]
