from __future__ import annotations

import math

import pytest
import torch

from rsi_gradcam.integrals import UnitIntegral
from rsi_gradcam.nodes import Node, Track
from rsi_gradcam.refine import Refinement


def node(alpha, f, g, y):
    """One unit whose integrand, integrator and score are functions of α."""
    return Node(
        alpha,
        (torch.tensor(y(alpha), dtype=torch.float64),),
        (torch.full((1, 1, 1), f(alpha), dtype=torch.float64),),
        (torch.full((1, 1, 1), g(alpha), dtype=torch.float64),),
    )


def begun(f, g, y=lambda alpha: 0.0, conserving=False):
    tracks = (Track(UnitIntegral(), "layer", 0),)
    ends = node(0.0, f, g, y), node(1.0, f, g, y)
    return Refinement.begin(tracks, torch.tensor([conserving]), *ends)


def test_with_the_middle_of_the_whole_it_is_simpsons_rule():
    """Exact for cubics: ∫ x³ dx = 1/4."""
    walk = begun(lambda x: x**3, lambda x: x)
    assert walk.result()[0].item() == 0.5
    walk.halve(node(0.5, lambda x: x**3, lambda x: x, lambda x: 0.0))
    assert walk.plain[0].item() == pytest.approx(0.3125)
    assert walk.result()[0].item() == pytest.approx(0.25, abs=1e-15)


@pytest.mark.parametrize("order", [(0.5, 0.25, 0.75), (0.5, 0.75, 0.625, 0.25, 0.6875, 0.125)])
def test_however_it_was_halved_the_plain_sum_is_the_trapezoid_sum_over_its_points(order):
    f, g = (lambda x: math.cos(3 * x)), (lambda x: x**2)
    walk = begun(f, g)
    for alpha in order:
        walk.halve(node(alpha, f, g, lambda x: 0.0))
    points = sorted([0.0, 1.0, *order])
    expected = sum((f(a) + f(b)) / 2 * (g(b) - g(a)) for a, b in zip(points, points[1:], strict=False))
    assert walk.plain[0].item() == pytest.approx(expected, rel=1e-12)


def test_the_worst_interval_is_the_one_whose_left_and_right_sums_lie_farthest_apart():
    step = lambda x: 0.0 if x < 0.3 else 1.0  # noqa: E731
    walk = begun(step, lambda x: x)
    for alpha in (0.5, 0.25, 0.75):
        walk.halve(node(alpha, step, lambda x: x, lambda x: 0.0))
    assert [alpha for alpha, _ in walk.worst(4, torch.tensor([True]))] == [0.375]
    assert walk.worst(4, torch.tensor([False])) == []


def test_a_jump_of_the_score_between_two_flat_points_is_seen_where_the_units_add_up_to_it():
    flat, jump = (lambda x: 0.0), (lambda x: 0.0 if x < 0.9 else 1.0)
    for conserving, expected in ((True, [0.875]), (False, [])):
        walk = begun(flat, lambda x: x, jump, conserving)
        for alpha in (0.5, 0.25, 0.75):
            walk.halve(node(alpha, flat, lambda x: x, jump))
        assert [alpha for alpha, _ in walk.worst(2, torch.tensor([True]))] == expected
