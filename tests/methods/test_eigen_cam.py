from __future__ import annotations

import pytest
import torch
from pytorch_grad_cam.utils.svd_on_activations import get_2d_projection

from rsi_gradcam import explain
from rsi_gradcam.methods import EigenCAM
from tests.agreement import agree
from tests.networks import LAST, images, network
from tests.oracles.network import probability, see


def principal_map(A):
    """Projections of the centred places on their first principal direction, which power iteration finds."""
    channels, rows, columns = len(A), len(A[0]), len(A[0][0])
    places = [[A[k][i][j] for k in range(channels)] for i in range(rows) for j in range(columns)]
    means = [sum(place[k] for place in places) / len(places) for k in range(channels)]
    centred = [[value - mean for value, mean in zip(place, means, strict=True)] for place in places]
    v = [1.0 + k / channels for k in range(channels)]
    for _ in range(4000):
        along = [sum(a * b for a, b in zip(place, v, strict=True)) for place in centred]
        v = [sum(along[p] * centred[p][k] for p in range(len(places))) for k in range(channels)]
        length = sum(value**2 for value in v) ** 0.5
        v = [value / length for value in v]
    L = [sum(a * b for a, b in zip(place, v, strict=True)) for place in centred]
    if sum(value * sum(place) for value, place in zip(L, centred, strict=True)) < 0:
        L = [-value for value in L]
    return [L[i * columns : (i + 1) * columns] for i in range(rows)]


@pytest.mark.parametrize("kind", ["plain", "pooled"])
def test_it_is_the_formula_as_loops(kind):
    model, x = network(kind), images(1)
    seen = see(model, x[0], LAST[kind], probability(0))
    agree(explain(model, x, LAST[kind], "eigen_cam").signed[0], principal_map(seen.A), 1e-6)


def test_places_on_a_line_by_hand():
    """(1, 1), (2, 2), (3, 3): centred they lie at −√2, 0, √2 along the diagonal."""
    A = torch.tensor([[[[1.0, 2.0, 3.0]], [[1.0, 2.0, 3.0]]]])
    found = EigenCAM().localize(A, torch.zeros_like(A))
    assert found.flatten().tolist() == pytest.approx([-(2**0.5), 0.0, 2**0.5], abs=1e-6)


def test_the_class_does_not_matter():
    model, x = network("plain"), images(2)
    one, other = (explain(model, x, "features.5", "eigen_cam", target) for target in (0, 3))
    assert torch.equal(one.raw, other.raw)


def test_it_is_pytorch_grad_cams_but_for_the_sign():
    model, x = network("plain"), images(2)
    with torch.no_grad():
        expected = get_2d_projection(model.features(x).numpy())
    found = explain(model, x, "features.5", "eigen_cam").signed
    for row in range(2):
        agree(found[row].abs(), abs(expected[row]), 1e-5)
