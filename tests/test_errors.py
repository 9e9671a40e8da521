"""Every refusal says, on one line, what was expected, what came, and what to do."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from rsi_gradcam import RSIGradCAM, RSIGradCAMError, explain, explain_all
from rsi_gradcam import errors as tree
from rsi_gradcam.errors import (
    BaselineError,
    ConfigurationError,
    LayerError,
    MissingExtra,
    ModelError,
    ShapeError,
    TargetError,
    did_you_mean,
)
from tests.networks import TwoHeads, images, network, zeros


class Pair(nn.Module):
    def forward(self, x):
        return x, x


class TakesPairs(nn.Module):
    """Has a layer whose output is a tuple, one that never runs, and one that feeds nothing."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 4, 3, 2, 1)
        self.pair = Pair()
        self.idle = nn.Conv2d(3, 4, 3)
        self.aside = nn.Conv2d(4, 4, 3, 1, 1)
        self.cut_off = nn.Conv2d(4, 4, 1)
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        x, _ = self.pair(self.stem(x))
        self.aside(x)
        with torch.no_grad():
            side = self.cut_off(x)
        return self.head(torch.relu(x).mean((2, 3))) + side.mean()


PLAIN = {"model": network("plain"), "x": images(2), "layer": "features.5", "method": "rsi_grad_cam", "target": 1}
PLAIN |= {"baseline": zeros(), "steps": 2}
PAIRS = {"model": TakesPairs().double(), "method": "grad_cam"}

# (what is asked, the error, what was expected and what came, what to do)
REFUSALS = {
    "unknown layer": ({"layer": "features.55"}, LayerError, "no layer 'features.55'", "did you mean"),
    "layer called twice": (
        {"model": network("shared_relu"), "layer": "relu"},
        LayerError,
        r"'relu' \(ReLU\) runs more than once",
        "take the block around it, or a layer before or after",
    ),
    "layer called twice, by grad_cam": (
        {"model": network("shared_relu"), "layer": "relu", "method": "grad_cam"},
        LayerError,
        "runs more than once",
        "take the block around it",
    ),
    "layer after the flatten": (
        {"layer": "classifier.0"},
        LayerError,
        r"'classifier.0' \(Linear\) has no spatial output: shape \(\d, 12\).*\(batch, channels, height, width\)",
        "take a layer before the flatten",
    ),
    "the flatten itself": ({"layer": "flatten"}, LayerError, "no spatial output", "before the flatten"),
    "layer that gives a tuple": (
        PAIRS | {"layer": "pair"},
        LayerError,
        r"'pair' \(Pair\) gives tuple",
        "take a layer inside",
    ),
    "layer that does not run": (
        PAIRS | {"layer": "idle"},
        LayerError,
        "'idle' does not run",
        "layers that can: .*stem",
    ),
    "layer that feeds nothing": (
        PAIRS | {"layer": "aside"},
        LayerError,
        "'aside' does not feed the target",
        "Take a layer on the way",
    ),
    "layer above which the model stops gradients": (
        PAIRS | {"layer": "cut_off"},
        LayerError,
        "'cut_off' does not feed the target",
        "does not detach or switch gradients off",
    ),
    "module of another model": (
        {"layer": network("plain").features[5]},
        LayerError,
        r"\(MaxPool2d\) is no part of this model",
        "give one of its modules",
    ),
    "the model itself as the layer": ({"layer": PLAIN["model"]}, LayerError, "no part of this model", "give one of"),
    "layer of another kind": ({"layer": 5}, LayerError, "got 5", "a layer is a dotted name or a module"),
    "no model": ({"model": "vgg19"}, ModelError, "got str", "model must be a torch.nn.Module"),
    "x without a batch": ({"x": images(1)[0]}, ShapeError, r"got \(3, 16, 16\)", r"x\[None\]"),
    "x of two dimensions": (
        {"x": torch.zeros(16, 16)},
        ShapeError,
        r"got \(16, 16\)",
        r"\(batch, channels, height, width\)",
    ),
    "x of no images": ({"x": images(2)[:0]}, ShapeError, r"got \(0, 3, 16, 16\)", "must have shape"),
    "x that is no tensor": ({"x": np.zeros((1, 3, 16, 16))}, ShapeError, "got ndarray", "must be a tensor"),
    "x of bytes": (
        {"x": torch.zeros(1, 3, 16, 16, dtype=torch.uint8)},
        ShapeError,
        "got torch.uint8",
        "convert and normalise",
    ),
    "x with nan": (
        {"x": images(1) * float("nan")},
        ShapeError,
        "nan or infinite",
        "see where its preprocessing divides",
    ),
    "x with infinity": ({"x": images(1) / 0}, ShapeError, "nan or infinite", "see where its preprocessing divides"),
    "x of another dtype": (
        {"x": images(1).float()},
        ModelError,
        "x is torch.float32, the model torch.float64",
        r"x\.to",
    ),
    "x on another device": (
        {"model": network("plain").to("meta")},
        ModelError,
        "x is on cpu, the model on meta",
        "move one",
    ),
    "unknown method": ({"method": "grad_cm"}, ConfigurationError, "'grad_cm' is no method", "did you mean grad_cam"),
    "method of another kind": ({"method": 3}, ConfigurationError, "not 3", "a name or a configured Method"),
    "method's class instead of a method": (
        {"method": RSIGradCAM},
        ConfigurationError,
        "RSIGradCAM",
        "a name or a configured",
    ),
    "unknown baseline": ({"baseline": "blak"}, ConfigurationError, "'blak' is no baseline", "did you mean black"),
    "baseline of another kind": ({"baseline": 0}, ConfigurationError, "not 0", "a name, a Baseline or a tensor"),
    "baseline that needs more": ({"baseline": "sample"}, ConfigurationError, "needs data", r"Sample\(data="),
    "unknown path": ({"path": "strait"}, ConfigurationError, "'strait' is no path", "did you mean straight"),
    "path of another kind": ({"path": 3}, ConfigurationError, "not 3", "a name or a Path"),
    "path that needs more": ({"path": "points"}, ConfigurationError, "needs images", r"Points\(images="),
    "class that does not exist": ({"target": 5}, TargetError, "class 5 does not exist", "5 outputs, 0 to 4"),
    "too many classes": ({"target": [1, 2, 3]}, TargetError, "3 targets for 2 images", "one for each image"),
    "output that is a tuple": (
        {"model": TwoHeads().double(), "layer": "stem"},
        TargetError,
        "returns tuple",
        "a function",
    ),
    "steps and tolerance": ({"tolerance": 0.1}, ConfigurationError, "steps=2 and tolerance=0.1", "give one"),
    "no steps": ({"steps": 0}, ConfigurationError, "got 0", "1 or more"),
    "half a step": ({"steps": 1.5}, ConfigurationError, "got 1.5", "a whole number"),
    "a tolerance of nothing": ({"steps": None, "tolerance": 0.0}, ConfigurationError, "got 0.0", "between 0 and 1"),
    "a tolerance of everything": (
        {"steps": None, "tolerance": 1.0},
        ConfigurationError,
        "got 1.0",
        "between 0 and 1",
    ),
    "a tolerance of nan": (
        {"steps": None, "tolerance": float("nan")},
        ConfigurationError,
        "got nan",
        "between 0 and 1",
    ),
    "too few passes": ({"max_passes": 3}, ConfigurationError, "got 3", "must be a whole number of 8 or more"),
    "unknown precision": ({"precision": "float8"}, ConfigurationError, "got 'float8'", "auto or float32"),
    "negative epsilon": ({"epsilon": -1.0}, ConfigurationError, "got -1.0", "0 or more"),
    "epsilon of nan": ({"epsilon": float("nan")}, ConfigurationError, "got nan", "0 or more"),
    "empty batches": ({"batch_size": 0}, ConfigurationError, "got 0", "1 or more"),
    "half a batch": ({"batch_size": 1.5}, ConfigurationError, "got 1.5", "1 or more"),
    "unknown preset": ({"preset": "papr"}, ConfigurationError, "'papr' is not a preset", "did you mean paper"),
    "baseline of another shape": (
        {"baseline": torch.zeros(3, 8, 8)},
        BaselineError,
        r"\(3, 8, 8\).*\(2, 3, 16, 16\)",
        "give one",
    ),
    "colour without a normalisation": ({"baseline": "white"}, BaselineError, "not known", r"White\(mean="),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_be_done_is_refused_with_what_came_and_what_to_do(name):
    asked, kind, came, advice = REFUSALS[name]
    with pytest.raises(RSIGradCAMError) as caught:
        explain(**(PLAIN | asked))
    assert isinstance(caught.value, kind)
    message = str(caught.value)
    assert "\n" not in message
    assert caught.match(came)
    assert caught.match(advice)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"target": 1, "targets": [1, 2]}, "target and targets exclude each other"),
        ({"targets": []}, "targets must be a list of one or more, got \\[\\]"),
        ({"methods": []}, r"methods must be a list of one or more, got \[\]"),
        ({"methods": "grad_cam"}, "methods must be a list of one or more, got 'grad_cam'"),
        ({"methods": RSIGradCAM()}, "methods must be a list"),
        ({"layers": []}, r"layers must be a list of one or more names or modules, got \[\]"),
        ({"layers": "features.5"}, "layers must be a list of one or more names or modules, got 'features.5'"),
    ],
)
def test_lists_that_contradict_each_other_or_are_empty_are_refused(asked, message):
    with pytest.raises(ConfigurationError, match=message) as caught:
        explain_all(PLAIN["model"], PLAIN["x"], **({"layers": ["features.5"], "methods": ["grad_cam"]} | asked))
    assert "\n" not in str(caught.value)


def test_inputs_with_a_wrong_number_of_channels_are_an_error_of_the_model_itself():
    with pytest.raises(ModelError, match=r"fails on images of shape \(1, 2, 16, 16\), torch.float64: .*channels"):
        explain(PLAIN["model"], images(1)[:, :2], "features.5", "grad_cam", 1)


def test_a_missing_extra_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "captum.attr", None)
    for method in ("lime", "guided_grad_cam"):
        with pytest.raises(MissingExtra, match=r'pip install "rsi-gradcam\[captum\]"'):
            explain(PLAIN["model"], PLAIN["x"], "features.5", method, 1, zeros())


def test_every_error_of_the_library_can_be_caught_at_once_and_is_an_error_of_pythons_kind_too():
    kinds = [each for each in vars(tree).values() if isinstance(each, type) and issubclass(each, RSIGradCAMError)]
    assert len(kinds) >= 9
    for kind in kinds:
        assert kind.__doc__
        if kind is not RSIGradCAMError:
            assert issubclass(kind, ValueError | TypeError | RuntimeError | ImportError)
            assert kind.__name__ in tree.__doc__


def test_near_names_are_offered_and_otherwise_some_of_all():
    assert did_you_mean("rsi_gradcam", ["grad_cam", "rsi_grad_cam", "lime"]) == "did you mean rsi_grad_cam, grad_cam?"
    assert did_you_mean("zzz", ["grad_cam", "lime"]) == "there are: grad_cam, lime"
    assert did_you_mean("zzz", [f"layer{i}" for i in range(30)]).endswith("layer19, …")
