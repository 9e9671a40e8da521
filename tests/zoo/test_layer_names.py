from __future__ import annotations

import pytest
import torch
from torch import nn

from rsi_gradcam.errors import LayerError
from rsi_gradcam.zoo.layer_names import name_layers
from rsi_gradcam.zoo.tracing import spatial_layers
from tests.networks import Residual


def named(network, size=(224, 224)):
    return dict(name_layers(network, spatial_layers(network.eval(), size)))


def of_torchvision(name):
    models = pytest.importorskip("torchvision.models")
    with torch.device("meta"):
        return named(models.get_model(name, weights=None))


def test_vggs_pools_go_by_the_papers_names():
    assert of_torchvision("vgg19") == {
        "block1_pool": "features.4",
        "block2_pool": "features.9",
        "block3_pool": "features.18",
        "block4_pool": "features.27",
        "block5_pool": "features.36",
    }


@pytest.mark.parametrize("name", ["vgg11", "vgg13_bn", "vgg16", "vgg19_bn"])
def test_every_vgg_has_five_pools(name):
    found = of_torchvision(name)
    assert list(found) == [f"block{number}_pool" for number in range(1, 6)]


@pytest.mark.parametrize("name", ["resnet18", "resnext50_32x4d"])
def test_resnets_have_four_stages(name):
    assert of_torchvision(name) == {f"stage{number}": f"layer{number}" for number in range(1, 5)}


def test_densenets_last_layer_is_the_norm_after_its_blocks():
    found = of_torchvision("densenet121")
    assert list(found) == ["denseblock1", "denseblock2", "denseblock3", "denseblock4", "features.norm5"]


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("googlenet", "inception5b"),
        ("squeezenet1_1", "features.12"),
        ("mobilenet_v2", "features.18"),
        ("efficientnet_b0", "features.8"),
        ("shufflenet_v2_x0_5", "conv5"),
        ("swin_t", "permute"),
    ],
)
@pytest.mark.filterwarnings("ignore:The default weight initialization")
def test_other_nets_end_with_their_last_layer_before_the_head(name, last):
    found = of_torchvision(name)
    assert list(found.values())[-1] == last
    assert list(found) == list(found.values())


def test_of_each_resolution_the_last_layer_is_taken():
    assert named(Residual(), (16, 16)) == {"stage1": "stage1", "stage2": "stage2"}


def test_a_network_without_spatial_layers_is_refused():
    network = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16 * 16, 2))
    with pytest.raises(LayerError, match="Sequential has no layer with a spatial output"):
        named(network, (16, 16))
