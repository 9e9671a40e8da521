from __future__ import annotations

import mpmath
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rsi_gradcam import Logit, LogProbability, Margin, Probability, Softmax, explain, explain_all
from tests.agreement import agree, apart
from tests.networks import Scaled, images, network, zeros

mpmath.mp.dps = 60


def closed_form(kind, logits, index):
    rest = logits.clone()
    rest[:, index] = -torch.inf
    return kind().score(logits, torch.full((len(logits),), index), rest.argmax(1))


def exact(logits, index):
    """y and v = ∂p_c/∂z in sixty digits."""
    e = [mpmath.exp(mpmath.mpf(z)) for z in logits.tolist()]
    total = mpmath.fsum(e)
    p = [each / total for each in e]
    others = mpmath.fsum(each for j, each in enumerate(p) if j != index)
    return p[index], [p[index] * others if j == index else -p[index] * p[j] for j in range(len(p))]


@given(st.lists(st.floats(-8, 8), min_size=2, max_size=7), st.integers(0, 1))
def test_its_gradient_is_autograds_for_moderate_logits(logits, index):
    z = torch.tensor([logits], dtype=torch.float64, requires_grad=True)
    y = z.softmax(1)[0, index]
    (v,) = torch.autograd.grad(y, z)
    found_y, found_v = closed_form(Probability, z.detach(), index)
    assert found_y.item() == pytest.approx(y.item(), rel=1e-12)
    agree(found_v, v, 1e-11)


def test_three_classes_by_hand():
    """p = (1/2, 1/4, 1/4): v = (1/4, −1/8, −1/8)."""
    logits = torch.tensor([[2.0, 1.0, 1.0]], dtype=torch.float64).log()
    y, v = closed_form(Probability, logits, 0)
    agree(y, [0.5], 1e-14)
    agree(v, [[0.25, -0.125, -0.125]], 1e-14)


@pytest.mark.parametrize("gap", [20, 30, 40, 60, 80])
def test_at_saturation_its_gradient_is_exact_where_plain_softmax_gives_zero(gap):
    logits = torch.tensor([[float(gap), 0.0, -1.0, 0.5]])
    y, v = exact(logits[0], 0)
    _, found = closed_form(Probability, logits, 0)
    for j in range(4):
        assert float(abs(mpmath.mpf(found[0, j].item()) / v[j] - 1)) < 1e-5
    _, plain = closed_form(Softmax, logits, 0)
    assert plain[0, 0].item() == 0.0  # and yet
    assert plain[0, 1].item() < 0.0  # so that the direction is wrong
    assert closed_form(Probability, logits, 0)[0].item() == pytest.approx(float(y))


def test_at_the_edge_of_float32_it_is_right_to_the_last_bit_that_there_is():
    logits = torch.tensor([[100.0, 0.0]])
    _, v = exact(logits[0], 0)  # 3.7e-44, a denormal number of steps of 1.4e-45
    found = closed_form(Probability, logits, 0)[1][0, 0].item()
    assert found > 0
    assert abs(found - float(v[0])) <= 1.5e-45


@given(st.lists(st.floats(-3, 3, width=32), min_size=1, max_size=6), st.floats(20, 60, width=32))
def test_at_saturation_it_is_exact_for_any_logits(others, gap):
    logits = torch.tensor([[gap, *others]])
    _, v = exact(logits[0], 0)
    _, found = closed_form(Probability, logits, 0)
    for j in range(logits.shape[1]):
        assert float(abs(mpmath.mpf(found[0, j].item()) / v[j] - 1)) < 1e-5


def test_a_class_without_a_chance_has_an_exact_gradient_too():
    logits = torch.tensor([[0.0, 60.0, 1.0]])
    _, v = exact(logits[0], 0)
    _, found = closed_form(Probability, logits, 0)
    for j in (0, 1):
        assert float(abs(mpmath.mpf(found[0, j].item()) / v[j] - 1)) < 1e-5
    assert found[0, 2].item() == 0  # −e^−119 is no number of float32


@pytest.mark.parametrize("gap", [25, 50, 80])
def test_a_saturated_map_in_float32_is_the_one_of_float64(gap):
    x = images(1)
    model = network("pooled")
    top = model(x).detach().topk(2).values[0]
    factor = gap / float(top[0] - top[1])
    wide = explain(Scaled(model, factor), x, "network.relu2", "grad_cam")
    assert 1 - wide.score.item() < 1e-7
    narrow_model, narrow_x = Scaled(network("pooled", dtype=torch.float32), factor), x.float()
    narrow = explain(narrow_model, narrow_x, "network.relu2", "grad_cam")
    agree(narrow.signed, wide.signed, 1e-3)  # the gap itself is rounded
    plain = explain(narrow_model, narrow_x, "network.relu2", "grad_cam", Softmax())
    assert apart(plain.signed, wide.signed) > 0.1


def shifted(kind):
    """The same network with one and the same row added to each row of its head: t(x) on every logit."""
    model = network(kind)
    with torch.no_grad():
        model.head.weight += 3 * torch.randn(1, model.head.in_features, dtype=torch.float64)
        model.head.bias += 2.0
    return model


@pytest.mark.parametrize("kind", ["pooled", "residual", "smooth"])
@pytest.mark.parametrize("target", [Probability(1), LogProbability(1), Margin(1), Softmax(1)])
def test_what_is_added_to_every_logit_leaves_no_trace_in_any_map(kind, target):
    x, layer = images(2), {"pooled": "relu1", "residual": "stage1", "smooth": "tanh1"}[kind]
    methods = [
        "grad_cam",
        "hires_cam",
        "rsi_grad_cam",
        "rsi_hires_cam",
        "integrated_grad_cam",
        "integrated_gradients",
    ]
    one, other = (
        explain_all(model, x, [layer], methods, target, zeros(), steps=4) for model in (network(kind), shifted(kind))
    )
    for key in one:
        agree(other[key].signed, one[key].signed, 1e-9)


def test_a_logit_is_no_such_target():
    x = images(1)
    one, other = (
        explain(model, x, "relu1", "grad_cam", Logit(1)) for model in (network("pooled"), shifted("pooled"))
    )
    assert apart(one.signed, other.signed) > 0.05
