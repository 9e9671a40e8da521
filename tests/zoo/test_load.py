from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from torch import nn

from rsi_gradcam import zoo
from rsi_gradcam.errors import ConfigurationError, MissingExtra, ModelError
from rsi_gradcam.zoo.load import BY_NAME, nearest, source_of


def test_neither_the_library_nor_the_built_in_network_needs_torchvision_or_timm():
    code = (
        "import sys, rsi_gradcam, rsi_gradcam.zoo as zoo\n"
        "zoo.load.__globals__['source_of']('efficientnet_lite0')\n"
        "print(sorted({'torchvision', 'timm', 'safetensors', 'huggingface_hub'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "[]"


def test_torchvision_comes_before_timm_and_either_can_be_asked():
    pytest.importorskip("timm")
    assert source_of("resnet18") == ("torchvision_models", "resnet18")
    assert source_of("timm/resnet18") == ("timm_models", "resnet18")
    assert source_of("torchvision/resnet18") == ("torchvision_models", "resnet18")
    assert source_of("seresnet50") == ("timm_models", "seresnet50")
    assert source_of("resnet50.IMAGENET1K_V1") == ("torchvision_models", "resnet50.IMAGENET1K_V1")
    assert source_of("my_package.nets:build") == ("own_model", "my_package.nets:build")


def test_a_tag_of_timms_goes_to_timm():
    pytest.importorskip("timm")
    assert source_of("resnet50.a1_in1k") == ("timm_models", "resnet50.a1_in1k")


def test_an_unknown_name_gets_suggestions_from_all_sources():
    pytest.importorskip("torchvision")
    with pytest.raises(ModelError, match="no network is called 'efficientnet_lite': did you mean efficientnet_lite"):
        zoo.load("efficientnet_lite")


def test_names_are_those_of_each_source():
    pytest.importorskip("timm")
    names = zoo.names()
    assert list(names) == list(BY_NAME)
    assert names["built-in"] == ("efficientnet_lite0",)
    assert "vgg19" in names["torchvision"]
    assert "tf_efficientnet_lite0" in names["timm"]


def test_a_source_that_is_not_installed_is_left_out_of_the_names_and_told_when_asked(monkeypatch):
    monkeypatch.delitem(sys.modules, "rsi_gradcam.zoo.sources.timm_models", raising=False)
    monkeypatch.setitem(sys.modules, "timm", None)
    assert "timm" not in zoo.names()
    with pytest.raises(MissingExtra, match=r'networks of timm needs the extra "zoo"'):
        zoo.load("timm/resnet18")


def test_preprocessing_goes_by_name():
    with pytest.raises(ConfigurationError, match="did you mean keras_vgg"):
        zoo.load(preprocess="keras")


def test_weights_may_be_given_as_text(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "tiny_net.py").write_text(
        "from torch import nn\n"
        "def build():\n"
        "    return nn.Sequential(nn.Conv2d(3, 2, 3, stride=4), nn.AdaptiveAvgPool2d(1), nn.Flatten())\n"
    )
    state = nn.Sequential(nn.Conv2d(3, 2, 3)).state_dict()
    torch.save(state, tmp_path / "tiny.pth")
    loaded = zoo.load("tiny_net:build", weights=str(tmp_path / "tiny.pth"), preprocess="imagenet")
    assert torch.equal(loaded.network[0].weight, state["0.weight"])
    assert loaded.weights == f"file {tmp_path / 'tiny.pth'}"


def test_another_case_and_two_sources_give_one_suggestion(monkeypatch):
    monkeypatch.setitem(
        nearest.__globals__, "names", lambda: {"torchvision": ("resnet18", "vgg16"), "timm": ("resnet18",)}
    )
    assert nearest("ResNet18") == "did you mean resnet18?"
    assert nearest("Resnet1") == "did you mean resnet18?"
