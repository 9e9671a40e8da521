from __future__ import annotations

import math

import pytest
import torch

from rsi_gradcam import GradCAM, Logit, LogProbability, Margin, Probability, RSIGradCAM, Softmax, Unit, catalog
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import captions
from tests.figures.explanations import CATEGORIES, NETWORK, explanation, grad_cam, spot


@pytest.mark.parametrize("name", catalog.methods())
def test_every_method_has_a_title_that_says_nothing_unusual_of_the_usual(name):
    title = captions.method_title(catalog.methods()[name]())
    assert title[0].isupper()
    assert "_" not in title
    assert "(" not in title


def test_two_settings_of_a_method_have_two_titles():
    titles = {
        captions.method_title(method) for method in (RSIGradCAM(), RSIGradCAM("right"), RSIGradCAM(units="relu"))
    }
    assert titles == {"RSI-Grad-CAM", "RSI-Grad-CAM (rule=right)", "RSI-Grad-CAM (units=relu)"}
    assert captions.method_title(GradCAM(positive=True)) == "Grad-CAM (positive=True)"


@pytest.mark.parametrize(
    ("score", "words"), [(0.9514, "95.1%"), (0.0022, "0.22%"), (1.0, "100%"), (0.05, "5%"), (0.0, "0%")]
)
def test_a_probability_is_said_in_percent(score, words):
    assert captions.score_text(explanation(score=score), 0) == words


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (Softmax(1), "Egyptian cat, 25%"),
        (Logit(1), "Egyptian cat, logit 0.25"),
        (LogProbability(1), "Egyptian cat, log-probability 0.25"),
        (Margin(1), "Egyptian cat, margin 0.25"),
    ],
)
def test_other_scores_are_said_by_their_names(target, words):
    assert captions.class_title(explanation(target=target, category=1, score=0.25), 0, NETWORK) == words


def test_a_target_without_a_class_says_what_it_is():
    unit = explanation(target=Unit("features", (0, 1, 2)), category=None, score=2.0)
    assert "features" in captions.class_title(unit, 0, NETWORK)
    assert captions.class_title(unit, 0, NETWORK).endswith("score 2")


def test_without_a_network_the_class_is_a_number_and_the_layer_its_path():
    assert captions.class_name(explanation(category=2), 0) == "class 2"
    assert captions.layer_title("blocks.0") == "blocks.0"
    assert captions.layer_title("blocks.0", NETWORK) == "stage1 (blocks.0)"
    assert captions.class_name(explanation(category=2), 0, NETWORK) == CATEGORIES[2]


def test_error_and_residual_are_said_of_a_path_and_not_of_a_gradient():
    assert captions.trust(explanation(score=0.5, residual=-0.01), 0) == ["error 0.004", "residual −2.0%"]
    assert captions.trust(grad_cam(), 0) == []


def test_what_is_not_known_is_not_said_as_a_number():
    assert captions.trust(explanation(error=math.inf, residual=math.nan), 0) == ["error not known"]
    assert captions.trust(explanation(score=0.0), 0) == ["error 0.004"]


def test_passes_are_counted():
    assert captions.passes(grad_cam(), 0) == "1 pass"
    assert captions.passes(explanation(passes=15), 0) == "15 passes"


def test_a_dark_map_is_called_dark_with_its_range():
    assert captions.warnings(explanation(1e-12 * spot(4, 4, 0, 0)), 0)[0] == "dark map, range 1e-12"
    assert any(said.startswith("dark") for said in captions.warnings(explanation(torch.zeros(4, 4)), 0))
    assert captions.warnings(explanation(), 0) == []


def test_a_detour_is_called_a_wrong_layer():
    assert captions.warnings(explanation(is_cut=False, residual=0.2), 0) == ["wrong layer"]


@pytest.mark.parametrize("row", [-1, 1, 7])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(ConfigurationError, match=r"1 image"):
        captions.check_row(explanation(target=Probability(0)), row)
