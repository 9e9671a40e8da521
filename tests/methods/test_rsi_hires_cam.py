from __future__ import annotations

import pytest
import torch

from rsi_gradcam import RSIHiResCAM, explain, explain_all
from rsi_gradcam.stieltjes import RULES
from tests.agreement import agree
from tests.networks import LAST, images, network, zeros
from tests.oracles.along_path import summed_over_channels, unit_integrals, walk
from tests.oracles.network import probability


@pytest.mark.parametrize("kind", ["plain", "residual", "depthwise", "shared_relu"])
@pytest.mark.parametrize("rule", RULES)
def test_it_is_the_formula_as_loops(rule, kind):
    model, x, baseline = network(kind), images(2), 0.2 * images(1, seed=7)[0]
    found = explain(model, x, LAST[kind], RSIHiResCAM(rule), [1, 3], baseline, steps=4)
    for row, index in enumerate((1, 3)):
        seen = walk(model, x[row], baseline, LAST[kind], probability(index), 4, rule)
        agree(found.signed[row], summed_over_channels(unit_integrals(seen, rule)))
    assert torch.equal(found.raw, found.signed)


def test_two_channels_by_hand():
    I = torch.tensor([[[[1.0, -2.0]], [[0.5, 0.5]]]])  # noqa: E741
    found = RSIHiResCAM().localize(I, torch.zeros_like(I), torch.zeros_like(I))
    assert found.tolist() == [[[1.5, -1.5]]]
    assert RSIHiResCAM().raw(found).tolist() == [[[1.5, -1.5]]]  # signed
    assert RSIHiResCAM().shown(found).tolist() == [[[1.5, 0.0]]]  # the heatmap shows what speaks for the class


def test_the_maps_of_all_classes_cancel_since_probabilities_add_up_to_one():
    model, x = network("plain"), images(2)
    found = explain_all(model, x, ["features.5"], ["rsi_hires_cam"], targets=range(5), baseline=zeros(), steps=5)
    total = torch.stack([each.signed for each in found.values()]).sum(0)
    assert total.abs().max() < 1e-14


def test_pooled_it_is_the_weights_of_rsi_grad_cam():
    model, x = network("residual"), images(2)
    found = explain_all(model, x, ["stage2"], ["rsi_hires_cam", "rsi_grad_cam"], [1, 3], zeros(), steps=5)
    agree(
        found["rsi_hires_cam", "stage2"].signed.sum((1, 2)),
        64 * found["rsi_grad_cam", "stage2"].weights.sum(1),
        1e-12,
    )
