"""What the sweep keeps of one point of a path, and what it adds up between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.integrals import Integral
from rsi_gradcam.stieltjes import piece


@dataclass(frozen=True)
class Track:
    """One integral at one site for one target: what methods that agree on all three share."""

    integral: Integral
    site: str
    target: int


@dataclass(frozen=True)
class Point:
    """A place on the path of one image, and what the network showed there."""

    alpha: float
    y: tuple[Tensor, ...]  # of each target
    A: Mapping[str, Tensor]  # site -> channel height width
    G: Mapping[tuple[str, int], Tensor]  # (site, target) -> channel height width


@dataclass(frozen=True)
class Node:
    """A point as the integrals see it: integrand and integrator of each track."""

    alpha: float
    y: tuple[Tensor, ...]
    F: tuple[Tensor, ...]
    Z: tuple[Tensor, ...]


def node(point: Point, start: Mapping[str, Tensor], tracks: Sequence[Track]) -> Node:
    """`start` holds the activations at the beginning of this path."""
    F, Z = [], []
    for track in tracks:
        A, G = point.A[track.site], point.G[track.site, track.target]
        F.append(track.integral.integrand(A, G, start[track.site]))
        Z.append(track.integral.integrator(A, torch.tensor(point.alpha, dtype=torch.float64)))
    return Node(point.alpha, point.y, tuple(F), tuple(Z))


def between(left: Node, right: Node, index: int, rule: str) -> Tensor:
    """The part of track `index`'s sum that lies between two nodes."""
    return piece(left.F[index], right.F[index], left.Z[index], right.Z[index], rule)
