from __future__ import annotations

from rsi_gradcam.evaluation.manifest import difference, digest
from tests.evaluation.synthetic import configuration


def test_the_order_in_which_keys_were_written_does_not_matter():
    assert digest({"a": 1, "b": [1.5, None]}) == digest({"b": (1.5, None), "a": 1}) != digest({"a": 1, "b": [1.5]})


def test_equal_configurations_have_no_difference():
    assert difference(configuration(4, 0), configuration(4, 0)) is None


def test_a_difference_is_named_by_its_place():
    one, other = configuration(4, 0), configuration(4, 0)
    other["explain"]["steps"] = None
    other["seed"] = 5
    assert difference(one, other) == "explain.steps is 50 there and nothing here"


def test_lists_of_named_things_are_compared_by_their_names():
    one, other = configuration(4, 0), configuration(4, 0)
    other["methods"] = other["methods"][1:]
    assert difference(one, other) == (
        "methods is grad_cam, integrated_grad_cam, rsi_grad_cam there and integrated_grad_cam, rsi_grad_cam here"
    )
    other["methods"] = [dict(each) for each in one["methods"]]
    other["methods"][2]["configuration"] = "RSIGradCAM(units='relu')"
    assert difference(one, other) == (
        "methods[rsi_grad_cam].configuration is rsi_grad_cam() there and RSIGradCAM(units='relu') here"
    )


def test_whatever_changes_the_hash_has_a_difference():
    one = configuration(4, 0)
    for other in ({**one, "seed": True}, {**one, "seed": 0.5}, {**one, "new": 1}, {**one, "layers": {}}):
        assert digest(one) != digest(other)
        assert difference(one, other)
