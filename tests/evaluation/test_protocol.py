from __future__ import annotations

import json
import pickle

import pytest

from rsi_gradcam.datasets import Example
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.configuration import configuration_of
from rsi_gradcam.evaluation.protocol import protocol
from rsi_gradcam.methods import RSIGradCAM
from rsi_gradcam.targets import Logit, Probability, Softmax
from tests.evaluation.small import LAYERS, Drawn, network, small_protocol


def test_with_nothing_said_it_is_the_papers_experiment():
    made = protocol()
    assert list(made.methods) == ["grad_cam", "integrated_grad_cam", "rsi_grad_cam"]
    assert made.methods["rsi_grad_cam"] == RSIGradCAM(rule="right", units="positive")
    assert (made.settings.steps, made.settings.epsilon, made.settings.precision) == (50, 1e-8, "float32")
    assert made.target is Softmax
    assert [metric.name for metric in made.metrics] == ["energy", "overlap", "average_drop", "darkness", "intensity"]
    assert len(made.controls) == 6
    assert made.selection.name == "paper"


def test_without_the_preset_it_is_ours():
    made = protocol(preset="none")
    assert (made.settings.steps, made.settings.tolerance, made.settings.epsilon) == (None, 0.01, 0.0)
    assert made.target is Probability
    assert made.methods["rsi_grad_cam"] == RSIGradCAM()


def test_what_is_said_outweighs_the_preset():
    made = protocol(["rsi_grad_cam(units=relu)"], tolerance=0.02, score="logit", with_controls=["ones"])
    assert made.methods == {"rsi_grad_cam(units=relu)": RSIGradCAM(rule="right", units="relu")}
    assert (made.settings.steps, made.settings.tolerance, made.settings.epsilon) == (None, 0.02, 1e-8)
    assert made.target is Logit
    assert [control.name for control in made.controls] == ["ones"]


def test_a_method_said_twice_is_measured_once_under_the_name_that_says_least():
    said = ["rsi_grad_cam", "rsi_grad_cam(units=positive)", "rsi_grad_cam( rule = right )"]
    assert list(protocol(said).methods) == ["rsi_grad_cam"]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"methods": []}, "methods must be a list of one or more"),
        ({"methods": ["lrp"]}, "'lrp' is no method"),
        ({"metric_names": ["enrgy"]}, "did you mean energy"),
        ({"metric_preset": "captum"}, "'captum' is no preset of metrics"),
        ({"with_controls": ["noise"]}, "is no control"),
        ({"score": "entropy"}, "score 'entropy' is not known"),
        ({"baseline": "pink"}, "'pink' is no baseline"),
        ({"path": "zigzag"}, "'zigzag' is no path"),
        ({"steps": 4, "tolerance": 0.1}, "exclude each other"),
        ({"threads": 0}, "threads must be 1 or more"),
    ],
)
def test_what_cannot_be_is_refused_before_there_is_a_network(said, why):
    with pytest.raises(ConfigurationError, match=why):
        protocol(**said)


def test_a_protocol_can_be_sent_to_another_process():
    made = small_protocol(metric_names=["all"], methods=["rsi_grad_cam(units=relu)", "grad_cam"])
    assert pickle.loads(pickle.dumps(made)) == made


def test_the_configuration_is_plain_and_says_everything():
    found = configuration_of(small_protocol(methods=["rsi_grad_cam(units=relu)"]), network(), Drawn(), None)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert list(found["layers"]) == list(LAYERS)
    assert found["methods"] == [
        {
            "name": "rsi_grad_cam(units=relu)",
            "configuration": "RSIGradCAM(rule='right', units='relu', positive_gradients=False)",
            "title": "RSI-Grad-CAM (units=relu)",
        }
    ]
    overlap = next(metric for metric in found["metrics"] if metric["name"] == "overlap")
    curves = {column["name"]: column["curve"] for column in overlap["columns"]}
    assert curves["overlap_iou"] is True
    assert curves["overlap_iou_mean"] is False
    assert len(overlap["points"]) == 19
    assert found["explain"]["baseline"] == repr(network().baseline("black"))


def test_the_digest_of_the_data_depends_on_names_labels_and_boxes():
    def digest(**fields):
        return configuration_of(small_protocol(), network(), Drawn(**fields), None)["dataset"]["digest"]

    assert digest() == digest(broken=(1,))
    assert len({digest(), digest(count=9), digest(labels=("ant",)), digest(boxes=((),))}) == 4


def test_two_photos_of_one_name_and_no_photos_are_errors():
    class Twice(Drawn):
        def examples(self):
            return [Example("a.png"), Example("a.png")]

    class Empty(Drawn):
        def examples(self):
            return []

    with pytest.raises(ConfigurationError, match="two photos called 'a.png'"):
        configuration_of(small_protocol(), network(), Twice(), None)
    with pytest.raises(ConfigurationError, match="has no photos"):
        configuration_of(small_protocol(), network(), Empty(), None)
    with pytest.raises(ConfigurationError, match="limit must be 1 or more"):
        configuration_of(small_protocol(), network(), Drawn(), 0)
