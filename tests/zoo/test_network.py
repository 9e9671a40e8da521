from __future__ import annotations

import pytest
import torch
from PIL import Image
from torch import nn

from rsi_gradcam.errors import LayerError, ModelError, TargetError
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo import adopt
from tests.networks import CLASSES, Residual

SMALL = Preprocess((16, 16), "squash")
NAMES = ("tabby", "tiger cat", "espresso", "cup", "moped")


def test_an_adopted_network_classifies_a_photo_and_knows_its_layers():
    adopted = adopt(Residual(), SMALL, NAMES, name="mine")
    scores = adopted.network(adopted.preprocess(Image.new("RGB", (40, 30)))[None])
    assert scores.shape == (1, CLASSES)
    assert adopted.categories == NAMES
    assert adopted.layers == {"stage1": "stage1", "stage2": "stage2"}
    assert adopted.default_layer == "stage2"
    assert repr(adopted) == "Network('mine', 5 classes, weights: as given)"


def test_it_is_put_into_eval_mode_and_its_parameters_are_left_alone():
    network = Residual().train()
    before = [parameter.requires_grad for parameter in network.parameters()]
    adopt(network, SMALL)
    assert not any(module.training for module in network.modules())
    assert [parameter.requires_grad for parameter in network.parameters()] == before


def test_classes_without_names_are_numbered():
    assert adopt(Residual(), SMALL).categories[:2] == ("class 0", "class 1")


def test_names_must_be_as_many_as_scores():
    with pytest.raises(ModelError, match="scores 5 classes, but 4 names came with it"):
        adopt(Residual(), SMALL, NAMES[:4])


def test_only_modules_are_adopted():
    with pytest.raises(ModelError, match=r"a network is a torch\.nn\.Module, got str"):
        adopt("resnet")


def test_a_layer_goes_by_friendly_name_or_path():
    models = pytest.importorskip("torchvision.models")
    adopted = adopt(models.resnet18(weights=None), Preprocess((64, 64)))
    assert adopted.path_of("stage4") == "layer4"
    assert adopted.path_of("layer4") == "layer4"
    assert adopted.path_of("layer4.1.conv2") == "layer4.1.conv2"
    with pytest.raises(LayerError, match=r"ResNet has no layer 'stage5': did you mean stage"):
        adopted.path_of("stage5")


def test_a_class_goes_by_a_loose_name():
    adopted = adopt(Residual(), SMALL, NAMES)
    assert adopted.index_of("Tiger-Cat") == 1
    with pytest.raises(TargetError):
        adopted.index_of("dog")


def test_the_hash_is_that_of_the_weights():
    one, other = adopt(Residual(), SMALL), adopt(Residual(), SMALL)
    other.network.load_state_dict(one.network.state_dict())
    assert one.weights_hash == other.weights_hash
    changed = adopt(Residual(), SMALL)
    changed.network.load_state_dict(one.network.state_dict())
    with torch.no_grad():
        changed.network.head.bias[0] += 1e-3
    assert changed.weights_hash != one.weights_hash


def test_the_hash_is_there_in_half_precision_too():
    network = nn.Sequential(nn.Conv2d(3, 2, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten()).to(torch.bfloat16)
    assert len(adopt(network, SMALL).weights_hash) == 64
