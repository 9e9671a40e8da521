"""The map as it forms along the path."""

from __future__ import annotations

import pytest
import torch

from rsi_gradcam import RSIGradCAM, explain_all
from tests.networks import images, network, zeros
from tests.oracles.along_path import stieltjes
from tests.oracles.at_image import relu

LAYER = "features.5"


def forming(method, **how):
    e = explain_all(network("plain"), images(1), [LAYER], [method], 1, zeros(), forming=True, **how)[method, LAYER]
    return e, e.forming[0]


@pytest.mark.parametrize("how", [{"steps": 4}, {"tolerance": 0.01}])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "rsi_hires_cam", "integrated_grad_cam", "integrated_gradients"])
def test_it_begins_with_nothing_and_ends_as_the_map(method, how):
    e = explain_all(network("plain"), images(1), [LAYER], [method], 1, zeros(), forming=True, **how)
    (found,) = e.values()
    formed = found.forming[0]
    assert formed.alphas[0] == 0
    assert formed.alphas[-1] == 1
    assert float(formed.maps[0].abs().max()) == 0
    torch.testing.assert_close(formed.maps[-1], found.raw[0])


@pytest.mark.parametrize("rule", ["right", "trapezoid", "midpoint"])
def test_each_map_is_of_the_integral_up_to_there(rule):
    model, x = network("plain"), images(1)
    method, steps = RSIGradCAM(rule), 4
    _, formed = forming(method, steps=steps)
    count = 2 * steps if rule == "midpoint" else steps
    F, Z = [], []
    for place in range(count + 1):
        A, G = activations_and_gradients(model, x * (place / count))
        F.append(G)
        Z.append(A)
    assert formed.alphas == tuple(step / steps for step in range(steps + 1))
    for step, found in enumerate(formed.maps):
        points = step * count // steps + 1
        wanted = plain_map([f.tolist() for f in F[:points]], [z.tolist() for z in Z[:points]], Z[-1].tolist(), rule)
        torch.testing.assert_close(found, torch.tensor(wanted, dtype=found.dtype))


def activations_and_gradients(model, x):
    A = model.features(x).detach().requires_grad_()
    y = model.classifier(model.flatten(A)).softmax(1)[0, 1]
    (G,) = torch.autograd.grad(y, A)
    return A.detach()[0], G[0]


def plain_map(F, Z, A, rule):
    channels, height, width = len(A), len(A[0]), len(A[0][0])
    total = [[0.0] * width for _ in range(height)]
    for k in range(channels):
        weight = 0.0
        for i in range(height):
            for j in range(width):
                weight += stieltjes([f[k][i][j] for f in F], [z[k][i][j] for z in Z], rule) / (height * width)
        for i in range(height):
            for j in range(width):
                total[i][j] += weight * A[k][i][j]
    return [[relu(value) for value in row] for row in total]


def test_it_is_kept_only_where_it_was_asked_for():
    e = explain_all(network("plain"), images(1), [LAYER], ["rsi_grad_cam"], 1, zeros())["rsi_grad_cam", LAYER]
    assert e.forming == ()


def test_each_image_of_a_batch_has_its_own():
    model, x = network("plain"), images(3)
    both = explain_all(model, x, [LAYER], ["rsi_grad_cam"], 1, zeros(), forming=True, batch_size=2)
    alone = explain_all(model, x[2:], [LAYER], ["rsi_grad_cam"], 1, zeros(), forming=True)
    key = ("rsi_grad_cam", LAYER)
    assert len(both[key].forming) == 3
    torch.testing.assert_close(both[key].forming[2].maps, alone[key].forming[0].maps)
