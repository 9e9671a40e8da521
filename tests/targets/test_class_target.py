from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from rsi_gradcam import Logit, LogProbability, Margin, Probability, Softmax, explain, explain_all
from rsi_gradcam.errors import TargetError
from rsi_gradcam.targets import as_target
from tests.agreement import agree
from tests.networks import CLASSES, TwoHeads, images, network, zeros

KINDS = [Probability, LogProbability, Logit, Margin, Softmax]


def by_autograd(kind, logits, index, rival):
    z = logits.clone().requires_grad_()
    y = {
        Probability: lambda: z.softmax(1)[0, index],
        Softmax: lambda: z.softmax(1)[0, index],
        LogProbability: lambda: z.log_softmax(1)[0, index],
        Logit: lambda: z[0, index],
        Margin: lambda: z[0, index] - z[0, rival],
    }[kind]()
    return y.item(), torch.autograd.grad(y, z)[0]


@pytest.mark.parametrize("kind", KINDS)
@given(logits=st.lists(st.floats(-6, 6), min_size=3, max_size=6), index=st.integers(0, 2))
def test_score_and_gradient_are_autograds(kind, logits, index):
    z = torch.tensor([logits], dtype=torch.float64)
    others = z.clone()
    others[0, index] = -torch.inf
    rival = int(others.argmax())
    y, v = kind().score(z, torch.tensor([index]), torch.tensor([rival]))
    expected_y, expected_v = by_autograd(kind, z, index, rival)
    assert y.item() == pytest.approx(expected_y, rel=1e-12, abs=1e-12)
    agree(v, expected_v, 1e-10)


@pytest.mark.parametrize("kind", [Probability, LogProbability, Margin, Softmax])
@given(logits=st.lists(st.floats(-6, 6), min_size=3, max_size=6))
def test_a_target_that_compares_has_a_gradient_that_adds_up_to_zero(kind, logits):
    _, v = kind().score(torch.tensor([logits], dtype=torch.float64), torch.tensor([0]), torch.tensor([1]))
    assert abs(v.sum().item()) < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_none_is_the_class_that_the_model_predicts_for_each_image(kind):
    model, x = network("plain"), images(6)
    predicted = model(x).argmax(1).tolist()
    assert len(set(predicted)) > 1
    found = explain(model, x, "features.5", "grad_cam", kind())
    assert list(found.classes) == predicted
    agree(found.signed, explain(model, x, "features.5", "grad_cam", kind(tuple(predicted))).signed, 1e-14)


def test_the_class_that_is_predicted_for_the_image_holds_all_along_its_path():
    model, x = network("plain"), images(6)
    predicted = model(x).argmax(1).tolist()
    assert any(model(zeros()[None]).argmax(1).item() != each for each in predicted)
    found = explain(model, x, "features.5", "rsi_grad_cam", None, zeros(), steps=4)
    agree(found.signed, explain(model, x, "features.5", "rsi_grad_cam", predicted, zeros(), steps=4).signed, 1e-14)


@pytest.mark.parametrize(
    "target", [[1, 3], (1, 3), torch.tensor([1, 3]), torch.tensor([1, 3], dtype=torch.int32), Probability((1, 3))]
)
def test_one_class_for_each_image_can_be_said_in_many_ways(target):
    model, x = network("plain"), images(2)
    found = explain(model, x, "features.5", "grad_cam", target)
    assert found.classes == (1, 3)
    for row, index in enumerate((1, 3)):
        alone = explain(model, x[row : row + 1], "features.5", "grad_cam", index)
        agree(found.signed[row], alone.signed[0], 1e-12)


@pytest.mark.parametrize("target", [2, torch.tensor(2)])
def test_one_class_serves_all_images(target):
    assert explain(network("plain"), images(3), "features.5", "grad_cam", target).classes == (2, 2, 2)


@pytest.mark.parametrize("target", [CLASSES, -1, 1000])
def test_a_class_that_does_not_exist_is_refused_with_what_there_is(target):
    with pytest.raises(TargetError, match=rf"class {target} does not exist.*{CLASSES} outputs, 0 to {CLASSES - 1}"):
        explain(network("plain"), images(1), "features.5", "grad_cam", target)


def test_only_one_of_the_classes_has_to_be_wrong():
    with pytest.raises(TargetError, match="class 7 does not exist"):
        explain(network("plain"), images(2), "features.5", "rsi_grad_cam", [1, 7], zeros(), steps=2)


@pytest.mark.parametrize("target", [[1], [1, 2, 3], torch.tensor([1, 2, 3])])
def test_a_wrong_number_of_classes_is_refused(target):
    with pytest.raises(TargetError, match=f"{len(target)} targets for 2 images"):
        explain(network("plain"), images(2), "features.5", "grad_cam", target)


@pytest.mark.parametrize("kind", [Probability, LogProbability, Margin, Softmax])
def test_a_model_of_one_output_has_no_classes_to_compare(kind):
    model = nn.Sequential(nn.Conv2d(3, 1, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()).double()
    with pytest.raises(TargetError, match=r"one output.*Logit\(0\)"):
        explain(model, images(1), "0", "grad_cam", kind())
    assert explain(model, images(1), "0", "grad_cam", Logit(0)).classes == (0,)


def test_a_model_that_gives_a_tuple_needs_a_function():
    model = TwoHeads().double()
    with pytest.raises(TargetError, match="returns tuple.*function"):
        explain(model, images(1), "stem", "grad_cam", 1)
    found = explain(model, images(1), "stem", "grad_cam", lambda output: output[0].softmax(1)[:, 1])
    assert found.classes == () or found.classes == (None,)


def test_a_model_that_gives_a_map_of_classes_needs_a_function():
    with pytest.raises(TargetError, match=r"\(batch, classes\).*\(1, 4, 16, 16\)"):
        explain(nn.Sequential(nn.Identity(), nn.Conv2d(3, 4, 1)).double(), images(1), "0", "grad_cam", 1)


@pytest.mark.parametrize("target", ["cat", True, 1.5, object(), {"a": 1}])
def test_what_is_no_target_is_refused(target):
    with pytest.raises(TargetError, match="a target is"):
        as_target(target)


@pytest.mark.parametrize("target", [[0.7, 1.2], torch.tensor([0.7, 1.2]), ["1", "2"]])
def test_classes_that_are_no_whole_numbers_are_refused_and_not_rounded(target):
    with pytest.raises(TargetError):
        as_target(target)


def test_several_targets_may_each_name_a_class_for_each_image():
    model, x = network("plain"), images(2)
    found = explain_all(model, x, ["features.5"], ["grad_cam"], targets=[Probability((0, 1)), Probability((1, 2))])
    assert [each.classes for each in found.values()] == [(0, 1), (1, 2)]


def test_several_targets_may_be_lists_of_classes():
    model, x = network("plain"), images(2)
    found = explain_all(model, x, ["features.5"], ["grad_cam"], targets=[(0, 1), [1, 2]])
    assert [each.classes for each in found.values()] == [(0, 1), (1, 2)]


@pytest.mark.parametrize("given", [np.int64(3), np.array([3, 1]), np.array(3), torch.tensor(3), [np.int64(3), 1]])
def test_whole_numbers_of_any_kind_are_classes(given):
    wanted = 3 if np.ndim(given) == 0 else (3, 1)
    assert as_target(given) == Probability(wanted)


@pytest.mark.parametrize("given", [[1, 2], np.array([1, 2]), torch.tensor([1, 2])])
def test_a_target_made_of_a_list_is_one_of_a_tuple(given):
    assert Logit(given) == Logit((1, 2))
    assert hash(Logit(given)) == hash(Logit((1, 2)))


@pytest.mark.parametrize("given", [2.0, "2", True, [1.5]])
def test_what_is_no_whole_number_is_no_class(given):
    with pytest.raises(TargetError, match="a class is a whole number"):
        Logit(given)
