from __future__ import annotations

import pytest

from rsi_gradcam import Black, catalog
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images import Preprocess
from rsi_gradcam.web.choice import EXACTNESS, PAPER, Choice, baselines, methods

GOOD = Choice("efficientnet_lite0", ("grad_cam", "rsi_grad_cam"), ("bn2",), (0,))


def changed(**fields):
    return Choice(**{**vars(GOOD), **fields})


@pytest.mark.parametrize("exactness", EXACTNESS)
def test_everything_on_the_list_can_be_had(exactness):
    assert changed(exactness=exactness).check().how


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("tolerance 0.01", {"tolerance": 0.01}),
        ("0.03", {"tolerance": 0.03}),
        (".2", {"tolerance": 0.2}),
        ("37 steps", {"steps": 37}),
        ("1 step", {"steps": 1}),
        (PAPER, {"preset": "paper"}),
    ],
)
def test_exactness_can_be_written_in(written, meant):
    assert changed(exactness=written).how == meant


@pytest.mark.parametrize(
    "written", ["", "steps", "0 steps", "513 steps", "0.0001", "0.9", "1e9", "-1 steps", "9" * 40]
)
def test_an_exactness_that_would_take_for_ever_or_means_nothing_is_refused(written):
    with pytest.raises(ConfigurationError):
        changed(exactness=written).check()


@pytest.mark.parametrize(
    "fields",
    [{"methods": ("grad_cm",)}, {"methods": ()}, {"layers": ()}, {"classes": ()}, {"baseline": "../black"},
     {"methods": tuple(methods())[:13], "classes": (1, 2)}],
)  # fmt: skip
def test_what_is_not_on_the_page_is_refused(fields):
    with pytest.raises(ConfigurationError):
        changed(**fields).check()


def test_every_method_and_baseline_on_the_page_can_be_made():
    assert {"grad_cam", "rsi_grad_cam", "integrated_gradients"} <= set(methods())
    assert all(catalog.method(name) for name in methods())
    assert all(catalog.baseline(name) for name in baselines())
    assert next(iter(baselines())) == "black"


def test_black_is_black_before_the_networks_own_normalisation():
    preprocess = Preprocess(mean=(0.1, 0.2, 0.3), std=(0.5, 0.6, 0.7))
    assert GOOD.start(preprocess) == Black((0.1, 0.2, 0.3), (0.5, 0.6, 0.7))
