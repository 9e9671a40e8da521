from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Points, explain
from rsi_gradcam.errors import BaselineError
from rsi_gradcam.methods import LayerConductance
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.along_path import summed_over_channels, unit_integrals
from tests.oracles.network import probability, see


class Watching(torch.nn.Module):
    """Another network that keeps what it is shown."""

    def __init__(self, network):
        super().__init__()
        self.network, self.shown = network, []

    def forward(self, x):
        self.shown.extend(x.detach().clone())
        return self.network(x)


@pytest.mark.parametrize("rule", ["right", "left", "trapezoid"])
def test_with_one_step_fewer_than_points_it_is_the_sum_over_these_very_points(rule):
    model, points = network("plain"), images(6, seed=4)
    found = explain(model, points[-1:], "features.5", LayerConductance(rule), 1, path=Points(points), steps=5)
    seen = [see(model, point, "features.5", probability(1)) for point in points]
    agree(found.raw[0], summed_over_channels(unit_integrals(seen, rule)))


@pytest.mark.parametrize("count", [2, 4, 7, 12])
def test_with_one_step_fewer_than_points_the_network_sees_these_very_points(count):
    points = images(count, seed=4)
    model = Watching(network("plain"))
    explain(model, points[-1:], "network.features.5", "rsi_grad_cam", 1, path=Points(points), steps=count - 1)
    for point in points:
        assert min((point - shown).abs().max().item() for shown in model.shown) < 1e-12


def test_each_image_may_have_its_own_points():
    model, points = network("plain"), images(8, seed=4).view(2, 4, 3, 16, 16)
    found = explain(model, points[:, -1], "features.5", "rsi_grad_cam", [1, 3], path=Points(points), steps=3)
    for row, index in enumerate((1, 3)):
        alone = explain(
            model, points[row, -1:], "features.5", "rsi_grad_cam", index, path=Points(points[row]), steps=3
        )
        agree(found.signed[row], alone.signed[0], 1e-12)
        agree(found.baseline_score[row : row + 1], alone.baseline_score, 1e-12)


def test_each_image_keeps_its_own_points_however_few_are_run_at_once():
    model, points = network("plain"), images(12, seed=4).view(4, 3, 3, 16, 16)
    one, all_ = (
        explain(model, points[:, -1], "features.5", "rsi_grad_cam", 1, path=Points(points), steps=4, batch_size=size)
        for size in (1, 64)
    )
    agree(one.signed, all_.signed, 1e-12)


@pytest.mark.parametrize("count", [2, 3, 9])
@pytest.mark.parametrize("method", ["rsi_grad_cam", "integrated_grad_cam", "integrated_gradients"])
def test_a_straight_line_given_as_points_is_the_straight_path(method, count):
    model, x, start = network("plain"), images(1), images(1, seed=5)
    line = torch.cat([torch.lerp(start, x, alpha) for alpha in torch.linspace(0, 1, count).double().tolist()])
    for settings in ({"steps": 8}, {"tolerance": 0.01}):
        bent = explain(model, x, "features.5", method, 1, path=Points(line), **settings)
        agree(bent.signed, explain(model, x, "features.5", method, 1, start, **settings).signed, 1e-6)


def test_between_its_points_it_is_straight():
    points = torch.tensor([0.0, 1.0, 5.0]).view(3, 1, 1, 1)
    alpha = torch.tensor([0.0, 0.25, 0.5, 0.75, 1.0])
    x = points[-1:].expand(5, 1, 1, 1)
    found = Points(points).at(alpha, x, x, torch.zeros(5, dtype=torch.long))
    assert found.flatten().tolist() == [0.0, 0.5, 1.0, 3.0, 5.0]


def test_no_baseline_is_asked_for_and_none_is_warned_of():
    found = explain(
        network("plain"), images(3)[-1:], "features.5", "rsi_grad_cam", 1, path=Points(images(3)), steps=2
    )
    assert found.raw.shape == (1, 4, 4)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (images(3), "not the image that is explained"),
        (images(1), "two or more points"),
        (images(3, size=8), "shape"),
        (zeros(), "two or more points"),
        (images(12).view(3, 4, 3, 16, 16), "3 paths for 2 images"),
    ],
)
def test_points_that_are_no_path_to_the_images_are_refused(points, message):
    with pytest.raises(BaselineError, match=message):
        explain(network("plain"), images(2, seed=9), "features.5", "rsi_grad_cam", 1, path=Points(points), steps=2)
