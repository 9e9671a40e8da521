from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam import Unit, explain, explain_all
from rsi_gradcam.errors import LayerError, TargetError
from tests.agreement import agree
from tests.networks import images, network, zeros
from tests.oracles.at_image import grad_cam_weights, weighted_sum
from tests.oracles.network import Seen, copy_of


def test_grad_cam_of_a_unit_is_that_of_autograd():
    model, x = network("plain"), images(1)
    copy, kept = copy_of(model), {}
    for name in ("features.2", "features.3"):
        copy.get_submodule(name).register_forward_hook(
            lambda _m, _i, output, name=name: kept.setdefault(name, output)
        )
    copy(x)
    y = kept["features.3"][0, 5, 2, 3]
    (G,) = torch.autograd.grad(y, kept["features.2"])
    seen = Seen(kept["features.2"][0].tolist(), G[0].tolist(), y.item())
    found = explain(model, x, "features.2", "grad_cam", Unit("features.3", (5, 2, 3)))
    agree(found.signed[0], weighted_sum(grad_cam_weights(seen), seen))
    assert found.score.item() == pytest.approx(y.item(), rel=1e-12)


def test_explained_at_its_own_layer_a_unit_is_its_own_whole_change():
    model, x = network("plain"), images(1)
    found = explain(model, x, "features.2", "rsi_hires_cam", Unit("features.2", (1, 2, 3)), zeros(), steps=2)
    expected = torch.zeros(1, 8, 8, dtype=torch.float64)
    expected[0, 2, 3] = (model.features[:3](x) - model.features[:3](zeros()[None]))[0, 1, 2, 3].detach()
    agree(found.signed, expected, 1e-12)
    assert found.residual.abs().max() < 1e-12


def test_several_units_share_one_sweep():
    model, x = network("plain"), images(2)
    targets = [Unit("features.3", (k, 2, 3)) for k in range(3)]
    found = explain_all(model, x, ["features.2"], ["rsi_grad_cam"], targets=targets, baseline=zeros(), steps=3)
    for target in targets:
        alone = explain(model, x, "features.2", "rsi_grad_cam", target, zeros(), steps=3)
        agree(found["rsi_grad_cam", "features.2", target].signed, alone.signed, 1e-12)


def test_units_of_different_layers_and_a_path_in_layer_space_share_one_sweep():
    model, x = network("plain"), images(2)
    layers, methods = ["features.2", "features.5"], ["neuron_integrated_gradients", "layer_integrated_gradients"]
    found = explain_all(model, x, layers, methods, 1, zeros(), steps=3)
    for layer in layers:
        for method in methods:
            agree(found[method, layer].signed, explain(model, x, layer, method, 1, zeros(), steps=3).signed, 1e-12)


@pytest.mark.parametrize("unit", [(6, 0, 0), (0, 8, 0), (-1, 0, 0)])
def test_a_unit_that_is_not_there_is_refused_with_the_layers_shape(unit):
    with pytest.raises(TargetError, match=r"\(6, 8, 8\)"):
        explain(network("plain"), images(1), "features.2", "grad_cam", Unit("features.2", unit))


def test_a_unit_of_a_layer_that_is_not_there_is_refused_with_the_nearest_name():
    with pytest.raises(LayerError, match="did you mean features.2"):
        explain(network("plain"), images(1), "features.0", "grad_cam", Unit("featurs.2", (0, 0, 0)))


def test_a_unit_below_the_layer_is_refused_since_the_layer_does_not_feed_it():
    with pytest.raises(LayerError, match="does not feed the target"):
        explain(network("plain"), images(1), "features.3", "grad_cam", Unit("features.0", (0, 0, 0)))


def test_a_layer_that_every_way_to_the_unit_passes_is_a_cut_for_it_though_not_for_the_class():
    """conv1 lies on the branch of a residual block, and the branch's unit sees the image through it alone."""
    model, x = network("residual"), images(2)
    found = explain(model, x, "stage1.conv1", "rsi_hires_cam", Unit("stage1.conv2", (1, 8, 8)), zeros(), steps=512)
    assert found.residual.abs().max() < 2e-3 * found.score.abs().max()
    assert found.is_cut is True
    assert explain(model, x, "stage1.conv1", "rsi_hires_cam", 1, zeros(), steps=2).is_cut is False


def test_a_unit_may_be_a_list_and_its_layer_a_module():
    model, x = network("plain"), images(1)
    wanted = explain(model, x, "features.2", "grad_cam", Unit("features.5", (1, 2, 3)))
    for target in (Unit("features.5", [1, 2, 3]), Unit(model.features[5], (1, 2, 3))):
        assert torch.equal(explain(model, x, "features.2", "grad_cam", target).raw, wanted.raw)
    parallel = nn.DataParallel(model)
    found = explain(parallel, x, "module.features.2", "grad_cam", Unit("module.features.5", (1, 2, 3)))
    assert torch.equal(found.raw, wanted.raw)


@pytest.mark.parametrize("unit", [3, (0, 0), (0, 0, 0, 0), (0.5, 1, 1), "abc"])
def test_what_is_no_unit_is_refused(unit):
    with pytest.raises(TargetError, match=r"a unit is \(channel, row, column\)"):
        Unit("features.5", unit)


def test_the_input_has_no_units():
    with pytest.raises(TargetError, match="belongs to a layer"):
        explain(network("plain"), images(1), "features.2", "grad_cam", Unit("input", (0, 0, 0)))
