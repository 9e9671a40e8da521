from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Black, Logit, Probability, RSIGradCAM, Softmax, catalog, explain, explain_all
from rsi_gradcam.baselines import UnknownNormalisation
from rsi_gradcam.methods import GradCAM, IntegratedGradCAM, PathMethod
from rsi_gradcam.settings import Settings, settle
from tests.agreement import agree
from tests.networks import Scaled, images, network, zeros
from tests.oracles.along_path import integrated_grad_cam, rsi_grad_cam_weights, walk
from tests.oracles.at_image import grad_cam_weights, rectified, weighted_sum
from tests.oracles.network import probability
from tests.oracles.pixels import normalised

ON_PATH = [name for name, kind in catalog.methods().items() if issubclass(kind, PathMethod)]


def test_the_paper_preset_sets_everything_as_the_paper_has_it():
    model, x = network("plain"), images(1)
    found = explain(model, x, "features.5", baseline=zeros(), preset="paper")
    assert found.method == RSIGradCAM(rule="right", units="positive")
    assert found.target == Softmax()
    assert found.passes.tolist() == [51]
    assert found.epsilon == 1e-8
    assert found.tolerance is None
    assert found.precision in ("float32", "float64")


def test_the_papers_maps_are_those_of_the_papers_formulas():
    model, x, index = network("plain"), images(1), 2
    names = ["grad_cam", "integrated_grad_cam", "rsi_grad_cam"]
    found = explain_all(model, x, ["features.5"], names, index, zeros(), preset="paper")
    seen = walk(model, x[0], zeros(), "features.5", probability(index), 50, "right")
    expected = {
        "grad_cam": rectified(weighted_sum(grad_cam_weights(seen[-1], positive=True), seen[-1])),
        "integrated_grad_cam": integrated_grad_cam(seen, "right"),
        "rsi_grad_cam": rectified(weighted_sum(rsi_grad_cam_weights(seen, "right", "positive"), seen[-1])),
    }
    for name, L in expected.items():
        agree(found[name, "features.5"].raw[0], L)
        agree(found[name, "features.5"].normalised[0], normalised(L, 1e-8))


def test_the_papers_baseline_is_black():
    with pytest.warns(UnknownNormalisation):
        explain(network("plain"), images(1), "features.5", preset="paper", steps=1)
    photo = {"mean": (0.5,) * 3, "std": (0.25,) * 3}
    model, x = network("plain"), images(1).clamp(-2, 2)
    model.default_cfg = photo
    black = explain(model, x, "features.5", baseline=Black(**photo), preset="paper", steps=2)
    agree(explain(model, x, "features.5", preset="paper", steps=2).raw, black.raw, 1e-14)


@pytest.mark.parametrize("name", ON_PATH)
def test_with_the_paper_preset_every_path_method_takes_the_right_rule(name):
    assert catalog.method(name, paper=True).rule == "right"


def test_with_the_paper_preset_saturation_is_as_dark_as_in_the_paper():
    """Plain softmax in float32: where p rounds to 1 its own gradient is exactly 0."""
    model, x = network("pooled", dtype=torch.float32), images(1, dtype=torch.float32)
    best, second = model(x).detach().topk(2).values[0].tolist()
    model = Scaled(model, 25 / (best - second))
    paper = explain(model, x, "network.relu2", "grad_cam", preset="paper")
    exact = explain(model, x, "network.relu2", GradCAM(positive=True), epsilon=1e-8)
    assert paper.score.item() == exact.score.item() == 1.0
    assert paper.is_dark().item()
    assert paper.heatmap.max() < 0.5
    assert not torch.equal(paper.weights, exact.weights)


@pytest.mark.parametrize(
    ("said", "field", "expected"),
    [
        ({"steps": 7}, "passes", [8]),
        ({"epsilon": 0.5}, "epsilon", 0.5),
        ({"epsilon": 0.0}, "epsilon", 0.0),
        ({"target": Logit(1)}, "target", Logit(1)),
        ({"target": Probability(1)}, "target", Probability(1)),
        ({"method": RSIGradCAM()}, "method", RSIGradCAM()),
        ({"method": IntegratedGradCAM("left")}, "method", IntegratedGradCAM("left")),
        ({"tolerance": 0.05}, "tolerance", 0.05),
    ],
)
def test_what_is_said_outweighs_the_preset(said, field, expected):
    found = explain(network("smooth"), images(1), "tanh1", baseline=zeros(), preset="paper", **said)
    value = getattr(found, field)
    assert (value.tolist() if isinstance(value, torch.Tensor) else value) == expected


def test_a_baseline_that_is_said_outweighs_the_preset():
    model, x, start = network("smooth"), images(1), images(1, seed=4)
    found = explain(model, x, "tanh1", target=1, baseline=start, preset="paper", steps=2)
    agree(found.baseline_score, model(start).softmax(1)[:, 1].detach(), 1e-12)


def test_a_class_index_means_plain_softmax_with_the_preset_and_the_exact_probability_without():
    model, x = network("smooth"), images(1)
    assert explain(model, x, "tanh1", "grad_cam", 2, preset="paper").target == Softmax(2)
    assert explain(model, x, "tanh1", "grad_cam", 2).target == Probability(2)


def test_precision_and_cap_can_be_said_beside_the_preset():
    assert settle("paper", precision="auto").precision == "auto"
    assert settle("paper", max_passes=20).max_passes == 20
    assert settle("paper").precision == "float32"
    assert settle().precision == "auto"


def test_what_nobody_said_is_a_tolerance_of_a_hundredth_and_no_epsilon():
    assert settle() == Settings(tolerance=0.01)
    assert settle(steps=3) == Settings(steps=3)
    assert settle().epsilon == 0.0
