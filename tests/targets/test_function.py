from __future__ import annotations

import pytest
import torch

from rsi_gradcam import Probability, explain, explain_all
from rsi_gradcam.errors import TargetError
from tests.agreement import agree
from tests.networks import TwoHeads, images, network, zeros


@pytest.mark.parametrize("method", ["grad_cam", "rsi_grad_cam", "integrated_gradients", "layer_integrated_gradients"])
def test_a_probability_written_as_a_function_gives_the_same_map(method):
    model, x = network("plain"), images(2)
    written = explain(model, x, "features.5", method, lambda output: output.softmax(1)[:, 1], zeros(), steps=3)
    agree(written.signed, explain(model, x, "features.5", method, Probability(1), zeros(), steps=3).signed, 1e-11)
    agree(written.score, model(x).softmax(1)[:, 1].detach(), 1e-12)


def test_it_can_take_any_output_apart():
    model, x = TwoHeads().double(), images(2)
    found = explain(model, x, "stem", "rsi_hires_cam", lambda output: output[1], zeros(), steps=256)
    expected = (model(x)[1] - model(zeros()[None])[1]).detach()
    agree(found.signed.sum((1, 2)), expected, 1e-3)


def test_several_functions_share_one_sweep():
    model, x = TwoHeads().double(), images(2)
    first, second = (lambda output: output[0][:, 0]), (lambda output: output[1])
    found = explain_all(model, x, ["stem"], ["rsi_grad_cam"], targets=[first, second], baseline=zeros(), steps=3)
    for target in (first, second):
        alone = explain(model, x, "stem", "rsi_grad_cam", target, zeros(), steps=3)
        agree(found["rsi_grad_cam", "stem", target].signed, alone.signed, 1e-12)


@pytest.mark.parametrize(
    ("function", "came"),
    [
        (lambda output: output, r"\(2, 5\)"),
        (lambda output: output.sum(), r"\(\)"),
        (lambda output: 3.0, "float"),
        (lambda output: output[:1, 0], r"\(1,\)"),
    ],
)
def test_what_gives_no_number_for_each_image_is_refused_with_what_it_gave(function, came):
    with pytest.raises(TargetError, match=rf"one number per image, shape \(2,\), it gave.*{came}"):
        explain(network("plain"), images(2), "features.5", "grad_cam", function)


def test_an_error_of_the_function_itself_comes_through():
    def broken(output):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        explain(network("plain"), images(2), "features.5", "rsi_grad_cam", broken, zeros(), steps=2)


def test_it_may_be_called_under_a_callers_no_grad():
    model, x = network("plain"), images(2)
    with torch.no_grad():
        found = explain(model, x, "features.5", "grad_cam", lambda output: output.softmax(1)[:, 1])
    agree(found.signed, explain(model, x, "features.5", "grad_cam", 1).signed, 1e-11)
