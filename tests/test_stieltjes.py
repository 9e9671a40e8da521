from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam import riemann_sum, stieltjes_sum
from rsi_gradcam.errors import ConfigurationError, ShapeError
from rsi_gradcam.stieltjes import RULES, gap, piece, richardson
from tests.agreement import agree
from tests.oracles.along_path import stieltjes

numbers = st.floats(-100, 100)


def column(*values):
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_it_is_the_formula_as_loops(rule, data):
    count = 2 * data.draw(st.integers(1, 6)) + 1
    f, g = (data.draw(st.lists(numbers, min_size=count, max_size=count)) for _ in "fg")
    found = stieltjes_sum(column(*f), column(*g), rule)
    assert found.item() == pytest.approx(stieltjes(f, g, rule), rel=1e-9, abs=1e-7)


@pytest.mark.parametrize(("rule", "expected"), [("left", 4.0), ("right", 9.0), ("trapezoid", 6.5), ("midpoint", 6.0)])
def test_three_points_by_hand(rule, expected):
    """f is 1, 2, 5 and g is 0, 2, 3: increments 2 and 1, and 3 over the whole for the midpoint rule."""
    assert stieltjes_sum(column(1.0, 2.0, 5.0), column(0.0, 2.0, 3.0), rule).item() == expected


@pytest.mark.parametrize("rule", RULES)
@given(f=numbers, g=st.lists(numbers, min_size=3, max_size=3))
def test_a_constant_integrand_gives_the_increment(rule, f, g):
    found = stieltjes_sum(torch.full((3,), f, dtype=torch.float64), column(*g), rule)
    assert found.item() == pytest.approx(f * (g[-1] - g[0]), abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
def test_a_constant_integrator_gives_nothing(rule):
    assert stieltjes_sum(torch.randn(5), torch.full((5,), 3.0), rule) == 0


@pytest.mark.parametrize("rule", ["trapezoid", "midpoint"])
def test_integration_by_parts_holds_for_the_trapezoid_rule_and_in_the_limit_for_the_midpoint(rule):
    x = torch.linspace(0, 1, 2001, dtype=torch.float64)
    f, g = torch.sin(3 * x), torch.exp(x)
    both = stieltjes_sum(f, g, rule) + stieltjes_sum(g, f, rule)
    change = f[-1] * g[-1] - f[0] * g[0]
    assert both.item() == pytest.approx(change.item(), rel=1e-12 if rule == "trapezoid" else 1e-5)


@pytest.mark.parametrize(("rule", "order"), [("left", 1), ("right", 1), ("trapezoid", 2), ("midpoint", 2)])
def test_doubling_the_steps_divides_the_error_by_two_to_the_order(rule, order):
    """∫_0^1 cos x d(x³) = ∫ 3x² cos x dx = [3x² sin x + 6x cos x − 6 sin x] = 6 cos 1 − 3 sin 1."""
    exact = 6 * math.cos(1) - 3 * math.sin(1)
    errors = []
    for steps in (64, 128):
        points = 2 * steps + 1 if rule == "midpoint" else steps + 1
        x = torch.linspace(0, 1, points, dtype=torch.float64)
        errors.append(abs(stieltjes_sum(torch.cos(x), x**3, rule).item() - exact))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.05)


@pytest.mark.parametrize("rule", RULES)
def test_every_element_is_summed_for_itself_in_its_own_dtype(rule):
    f, g = torch.randn(5, 2, 3), torch.randn(5, 2, 3)
    found = stieltjes_sum(f, g, rule)
    assert found.dtype == torch.float32
    for i in range(2):
        for j in range(3):
            alone = stieltjes_sum(f[:, i, j].double(), g[:, i, j].double(), rule)
            assert found[i, j].item() == pytest.approx(alone.item(), abs=1e-5)


def test_the_riemann_sum_integrates_over_the_points_themselves():
    x = torch.linspace(0, 2, 101, dtype=torch.float64)
    found = riemann_sum(torch.stack([x, x**2], 1), x)
    agree(found, [2.0, 8 / 3], 1e-3)


def test_richardson_makes_simpsons_rule_of_two_trapezoid_sums():
    """Simpson's rule is exact for cubics: ∫_0^1 x³ dx = 1/4 from three points."""
    x = column(0.0, 0.5, 1.0)
    coarse, fine = riemann_sum(x[::2] ** 3, x[::2]), riemann_sum(x**3, x)
    assert (fine + richardson(coarse, fine)).item() == pytest.approx(0.25, abs=1e-15)


def test_the_gap_is_the_right_sum_less_the_left():
    f0, f1, g0, g1 = torch.randn(4, 7, dtype=torch.float64)
    agree(gap(f0, f1, g0, g1), piece(f0, f1, g0, g1, "right") - piece(f0, f1, g0, g1, "left"), 1e-12)


def test_an_unknown_rule_is_refused_with_the_nearest():
    with pytest.raises(ConfigurationError, match="did you mean midpoint"):
        stieltjes_sum(torch.ones(3), torch.ones(3), "midpoints")


@pytest.mark.parametrize(("points", "others"), [(1, 1), (3, 4), (0, 0)])
def test_points_that_do_not_match_or_suffice_are_refused(points, others):
    with pytest.raises(ShapeError, match=rf"got shapes \({points},\) and \({others},\)"):
        stieltjes_sum(torch.ones(points), torch.ones(others))


def test_the_midpoint_rule_refuses_an_even_number_of_points():
    with pytest.raises(ShapeError, match="got 4"):
        stieltjes_sum(torch.ones(4), torch.ones(4), "midpoint")


def test_an_integrator_of_one_number_a_point_serves_every_integrand():
    f, places = torch.rand(5, 5, dtype=torch.float64), torch.tensor([0, 0.1, 0.3, 0.6, 1], dtype=torch.float64)
    wanted = (f[:-1] * places.diff()[:, None]).sum(0)
    assert torch.allclose(stieltjes_sum(f, places, "left"), wanted)
    assert torch.equal(stieltjes_sum(f, places, "left"), riemann_sum(f, places, "left"))


@pytest.mark.parametrize("integrator", [torch.rand(5, 4), torch.rand(5, 3, 1), [0, 1], torch.tensor(1.0)])
def test_an_integrator_of_another_shape_is_refused(integrator):
    with pytest.raises(ShapeError, match="shape"):
        stieltjes_sum(torch.rand(5, 3), integrator)
