"""Sums for the integral of one sampled function against another: ∫ f dg (eq. ssum), and how far off they are.

Points run along the first axis. Nothing here knows of networks: each function can be used alone.

    left        Σ f(x_l)     · [g(x_{l+1}) − g(x_l)]
    right       Σ f(x_{l+1}) · [g(x_{l+1}) − g(x_l)]        eq. ssum, the paper's
    trapezoid   the mean of both
    midpoint    Σ f(x_{l+½}) · [g(x_{l+1}) − g(x_l)]        every second point is a middle
"""

from __future__ import annotations

from typing import Literal, get_args

from torch import Tensor

from rsi_gradcam.errors import ConfigurationError, ShapeError, did_you_mean

Rule = Literal["left", "right", "trapezoid", "midpoint"]
RULES: tuple[Rule, ...] = get_args(Rule)

# What a rule gives to the integrand at the two ends of an interval.
END_WEIGHTS: dict[str, tuple[float, float]] = {
    "left": (1.0, 0.0),
    "right": (0.0, 1.0),
    "trapezoid": (0.5, 0.5),
}


def check_rule(rule: str) -> None:
    if rule not in RULES:
        raise ConfigurationError(f"rule {rule!r} is not a rule: {did_you_mean(rule, RULES)}")


def piece(f_left: Tensor, f_right: Tensor, g_left: Tensor, g_right: Tensor, rule: str) -> Tensor:
    """One interval's part of the sum, for a rule that looks at its two ends."""
    at_left, at_right = END_WEIGHTS[rule]
    if at_left == 0.0:
        return f_right * (g_right - g_left)
    if at_right == 0.0:
        return f_left * (g_right - g_left)
    return (at_left * f_left + at_right * f_right) * (g_right - g_left)


def gap(f_left: Tensor, f_right: Tensor, g_left: Tensor, g_right: Tensor) -> Tensor:
    """How far an interval's left and right sums lie apart, unit by unit and with its sign."""
    return (f_right - f_left) * (g_right - g_left)


def stieltjes_sum(integrand: Tensor, integrator: Tensor, rule: Rule = "trapezoid") -> Tensor:
    """∫ f dg from samples of both at the same points. An integrator of one number a point serves all integrands.

    >>> import torch
    >>> x = torch.linspace(0, 1, 101, dtype=torch.float64)
    >>> round(stieltjes_sum(x, x**2).item(), 3)     # ∫ x d(x²) = 2/3
    0.667
    """
    check_rule(rule)
    integrator = matched(integrand, integrator)
    if rule == "midpoint":
        if len(integrand) % 2 == 0:
            raise ShapeError(
                f"the midpoint rule takes an odd number of points, ends and middles in turn, got {len(integrand)}"
            )
        return (integrand[1::2] * (integrator[2::2] - integrator[:-2:2])).sum(0)
    return piece(integrand[:-1], integrand[1:], integrator[:-1], integrator[1:], rule).sum(0)


def matched(integrand: Tensor, integrator: Tensor) -> Tensor:
    """The integrator in the integrand's dimensions, or an error where they were not sampled at the same points."""
    shapes = [tuple(each.shape) if isinstance(each, Tensor) else () for each in (integrand, integrator)]
    if not all(shapes) or shapes[0][0] != shapes[1][0] or shapes[0][0] < 2:
        raise ShapeError(
            f"integrand and integrator are tensors with the same two or more points along the first axis, "
            f"got shapes {shapes[0]} and {shapes[1]}: sample both at each point of the path"
        )
    if len(shapes[1]) == 1:
        return integrator.view(-1, *[1] * (integrand.dim() - 1))
    if integrand.dim() != integrator.dim() or any(b not in (a, 1) for a, b in zip(*shapes, strict=True)):
        raise ShapeError(
            f"the integrand has shape {shapes[0]}, the integrator {shapes[1]}: give one value of it for each of the "
            f"integrand's, or one for each point"
        )
    return integrator


def riemann_sum(integrand: Tensor, points: Tensor, rule: Rule = "trapezoid") -> Tensor:
    """∫ f dx: the Stieltjes sum whose integrator is the place along the path itself."""
    return stieltjes_sum(integrand, points.flatten() if isinstance(points, Tensor) else points, rule)


def richardson(coarse: Tensor, fine: Tensor) -> Tensor:
    """What to add to a trapezoid sum of halved intervals, given the sum before: Simpson's form."""
    return (fine - coarse) / 3
