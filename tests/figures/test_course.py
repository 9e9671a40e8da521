from __future__ import annotations

import pytest

from rsi_gradcam import Logit
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import course
from tests.figures.explanations import NETWORK, explanation, grad_cam, said
from tests.figures.test_comparison import within


def test_the_curve_goes_through_the_points_of_the_sweep():
    one = explanation(score=0.9)
    figure = course(one, network=NETWORK)
    (line,) = figure.axes[0].lines
    assert tuple(line.get_xdata()) == one.course[0].alphas
    assert tuple(line.get_ydata()) == one.course[0].scores
    assert line.get_marker() == "o"
    assert within(figure)


def test_it_says_what_is_drawn():
    figure = course(explanation(target=Logit(0)), network=NETWORK)
    assert figure.axes[0].get_ylabel() == "logit"
    assert "tiger cat" in said(figure)
    assert "15 passes" in said(figure)


def test_a_method_without_a_path_is_refused():
    with pytest.raises(ConfigurationError, match="Grad-CAM goes along no path"):
        course(grad_cam())
