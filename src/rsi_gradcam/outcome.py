"""What a group of images gave for one job, and how the groups become one explanation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from rsi_gradcam.axes import SPACE
from rsi_gradcam.explanation import Course, Explanation, Forming
from rsi_gradcam.heatmap import safe_divide
from rsi_gradcam.methods.base import IMAGE, INPUT, PathMethod, combine
from rsi_gradcam.settings import Settings
from rsi_gradcam.sweep import Group, Job
from rsi_gradcam.targets.base import Target
from rsi_gradcam.wanted import Integrated


@dataclass(frozen=True)
class Outcome:
    """One job's map for the images of one group."""

    signed: Tensor
    weights: Tensor | None
    cancellation: Tensor
    classes: tuple[int | None, ...]
    score: Tensor
    baseline_score: Tensor
    residual: Tensor
    passes: Tensor
    error: Tensor
    course: tuple[Course, ...]
    half: bool
    forming: tuple[Forming, ...] = ()


def cancellation_of(weights: Tensor | None, A: Tensor) -> Tensor:
    """The greatest |Σ_k w_k A^k| of a map, against the greatest Σ_k |w_k A^k|."""
    if weights is None:
        return torch.full(A.shape[:1], math.nan)
    net, gross = combine(weights, A).abs(), combine(weights.abs(), A.abs())
    return safe_divide(net.amax(SPACE), gross.amax(SPACE)).cpu()


def of_map(job: Job, group: Group, signed: Tensor, weights: Tensor | None, passes: int) -> Outcome:
    """Of a method that has no path."""
    count = len(group.x)
    nothing = torch.full((count,), math.nan)
    return Outcome(
        signed,
        weights,
        cancellation_of(weights, group.A[job.site]),
        group.bound[job.target].labels(),
        group.y[job.target].cpu(),
        nothing,
        nothing,
        torch.full((count,), passes),
        torch.zeros(count),
        (),
        False,
    )


def of_integrals(
    job: Job,
    group: Group,
    found: Sequence[Integrated],
    index: int,
    track: int,
    whole: int,
) -> Outcome:
    """Of a method on a path. `track` is its integral, `whole` the one whose units add up to the score's change."""
    method, bound = job.method, group.bound[job.target]
    assert isinstance(method, PathMethod)
    A = group.A[job.site]
    A0 = torch.stack([each.A0[job.site] for each in found])
    integral = torch.stack([each.I[track] for each in found])
    weights = method.weights(integral, A, A0)
    y, y0 = group.y[job.target].cpu(), torch.stack([each.y0[job.target] for each in found]).cpu()
    total = torch.stack([each.I[whole].sum() for each in found]).cpu()
    return Outcome(
        signed=method.localize(integral, A, A0),
        weights=weights,
        cancellation=cancellation_of(weights, A),
        classes=bound.labels(),
        score=y,
        baseline_score=y0,
        residual=total - (y - y0) if bound.conserves else torch.full_like(y, math.nan),
        passes=torch.tensor([each.passes for each in found]),
        error=torch.tensor([each.errors[index] for each in found]),
        course=tuple(each.course[job.target] for each in found),
        half=any(each.half for each in found),
        forming=tuple(each.forming[index] for each in found if each.forming),
    )


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def precision_of(signed: Tensor) -> str:
    kind = signed.device.type
    if torch.is_autocast_enabled(kind):  # the caller's
        return f"{name_of(torch.get_autocast_dtype(kind))} by autocast"
    return name_of(signed.dtype)


def explanation_of(
    job: Job,
    outcomes: Sequence[Outcome],
    target: Target,
    size: tuple[int, int],
    settings: Settings,
    cut: bool | None,
) -> Explanation:
    """All groups together."""
    signed = torch.cat([each.signed for each in outcomes])
    weights = [each.weights for each in outcomes if each.weights is not None]
    on_path = isinstance(job.method, PathMethod)
    return Explanation(
        method=job.method,
        layer=INPUT if job.layer == IMAGE else job.layer,
        target=target,
        classes=tuple(label for each in outcomes for label in each.classes),
        raw=job.method.raw(signed),
        signed=signed,
        weights=torch.cat(weights) if weights else None,
        cancellation=torch.cat([each.cancellation for each in outcomes]),
        size=size,
        score=torch.cat([each.score for each in outcomes]),
        baseline_score=torch.cat([each.baseline_score for each in outcomes]),
        residual=torch.cat([each.residual for each in outcomes]),
        is_cut=cut,
        passes=torch.cat([each.passes for each in outcomes]),
        error=torch.cat([each.error for each in outcomes]),
        tolerance=settings.tolerance if on_path else None,
        precision="bfloat16 below the layer" if any(each.half for each in outcomes) else precision_of(signed),
        epsilon=settings.epsilon,
        course=tuple(course for each in outcomes for course in each.course),
        forming=tuple(forming for each in outcomes for forming in each.forming),
    )
