from __future__ import annotations

import pytest

from rsi_gradcam import catalog
from rsi_gradcam.configured import parse, split
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.methods import GradCAM, RSIGradCAM


def test_commas_inside_brackets_and_quotes_part_nothing():
    assert split("a, b(c=1, d='x,y)'),, e ") == ["a", "b(c=1, d='x,y)')", "e"]


def test_values_are_numbers_truths_quoted_texts_tuples_or_words():
    said = "m(a=1, b=0.5, c=true, d=None, e='1', f=(1, 2), g=[3], h=left)"
    assert parse(said) == (
        "m",
        {"a": 1, "b": 0.5, "c": True, "d": None, "e": "1", "f": (1, 2), "g": (3,), "h": "left"},
    )


def test_a_method_may_be_configured_by_its_name():
    assert catalog.method("rsi_grad_cam(units=relu, rule=left)") == RSIGradCAM(rule="left", units="relu")
    assert catalog.method(" rsi_grad_cam ( positive_gradients = true ) ") == RSIGradCAM(positive_gradients=True)
    assert catalog.method("grad_cam()") == GradCAM()


def test_what_is_said_outweighs_the_papers_parameters_and_the_rest_stays():
    assert catalog.method("rsi_grad_cam(units=relu)", paper=True) == RSIGradCAM(rule="right", units="relu")


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("kind", catalog.methods().values(), ids=lambda kind: kind.name)
def test_a_plain_name_is_the_name_of_its_own_method(kind, paper):
    assert catalog.name_of(catalog.method(kind.name, paper=paper), paper=paper) == kind.name


@pytest.mark.parametrize("paper", [False, True])
def test_a_method_comes_back_from_its_name(paper):
    for rule in ("left", "right", "trapezoid", "midpoint"):
        for units in ("all", "relu", "positive"):
            method = RSIGradCAM(rule=rule, units=units, positive_gradients=units == "all")
            assert catalog.method(catalog.name_of(method, paper=paper), paper=paper) == method


def test_a_name_says_only_what_is_not_as_usual():
    assert catalog.name_of(RSIGradCAM(units="relu")) == "rsi_grad_cam(units=relu)"
    assert catalog.name_of(RSIGradCAM(rule="right", units="relu"), paper=True) == "rsi_grad_cam(units=relu)"
    assert catalog.name_of(RSIGradCAM(units="relu"), paper=True) == "rsi_grad_cam(rule=trapezoid, units=relu)"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("rsi_grad_cam(unit=relu)", "there is no 'unit', did you mean units?"),
        ("rsi_grad_cam(relu)", "has 'relu' where name=value is expected"),
        ("rsi_grad_cam(units=)", "has 'units=' where name=value is expected"),
        ("rsi_grad_cam(units=relu, units=all)", "says units twice"),
        ("rsi_grad_cam(units=some)", "units 'some' is not a selection"),
        ("rsi_grad_cam(positive_gradients=1)", "positive_gradients is true or false, got 1"),
        ("grad_cam(rule=left)", "there is no 'rule'"),
        ("rsi_grd_cam(units=relu)", "'rsi_grd_cam' is no method: did you mean rsi_grad_cam"),
        ("rsi_grad_cam(units=relu", "is no method"),
    ],
)
def test_a_name_that_means_nothing_is_refused_in_a_line(said, why):
    with pytest.raises(ConfigurationError) as error:
        catalog.method(said)
    assert why in str(error.value)
    assert "\n" not in str(error.value)
