from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
import torch

from rsi_gradcam import zoo
from rsi_gradcam.errors import ModelError, WeightsError
from rsi_gradcam.images import Preprocess, read_photo
from rsi_gradcam.zoo import download

models = pytest.importorskip("torchvision.models")


@pytest.fixture
def offline(monkeypatch, tmp_path):
    def fail(*_given, **_named):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(download, "urlopen", fail)
    monkeypatch.setattr(torch.hub, "get_dir", lambda: str(tmp_path / "hub"))
    return tmp_path / "hub" / "checkpoints"


@pytest.fixture
def resnet(tmp_path):
    network = models.resnet18(weights=None).eval()
    torch.save(network.state_dict(), tmp_path / "resnet18.pth")
    return network, tmp_path / "resnet18.pth"


def test_a_local_file_gives_the_network_with_its_transforms_and_categories(resnet, offline):
    theirs, path = resnet
    loaded = zoo.load("resnet18", weights=path)
    x = torch.rand(1, 3, 224, 224)
    with torch.no_grad():
        assert torch.equal(loaded.network(x), theirs(x))
    assert loaded.categories[281] == "tabby"
    assert loaded.preprocess == Preprocess((224, 224), "crop", "bilinear", crop_pct=224 / 256)
    assert loaded.layers["stage4"] == loaded.default_layer == "layer4"


def test_what_torch_has_in_its_cache_is_not_fetched(resnet, offline):
    theirs, path = resnet
    offline.mkdir(parents=True)
    path.rename(offline / "resnet18-f37072fd.pth")
    loaded = zoo.load("resnet18")
    assert loaded.weights == "torchvision ResNet18_Weights.IMAGENET1K_V1"
    assert torch.equal(loaded.network.conv1.weight, theirs.conv1.weight)


def test_offline_one_line_says_which_file_to_put_where(offline):
    with pytest.raises(WeightsError) as caught:
        zoo.load("vgg19")
    assert str(caught.value) == (
        "vgg19-dcbb9e9d.pth is not on this machine and could not be fetched (Network is unreachable): download "
        f"https://download.pytorch.org/models/vgg19-dcbb9e9d.pth and put it at {offline / 'vgg19-dcbb9e9d.pth'}, "
        "or pass it with weights=FILE (--weights FILE)"
    )


def test_the_weights_meant_can_be_named(offline):
    with pytest.raises(WeightsError, match=r"resnet50-0676ba61\.pth"):
        zoo.load("resnet50.IMAGENET1K_V1")
    with pytest.raises(WeightsError, match=r"resnet50-11ad3fa6\.pth"):
        zoo.load("resnet50")
    with pytest.raises(WeightsError, match="resnet50 has no weights 'IMAGENET1K_V3': did you mean IMAGENET1K_V"):
        zoo.load("torchvision/resnet50.IMAGENET1K_V3")


def test_weights_of_another_network_are_refused(resnet):
    with pytest.raises(WeightsError, match=r"do not fit ResNet: \d+ missing"):
        zoo.load("resnet34", weights=resnet[1])


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(ModelError, match="torchvision has no classifier 'resnet19': did you mean resnet1"):
        zoo.load("torchvision/resnet19")


@pytest.mark.parametrize("name", ["vgg19", "resnet50", "efficientnet_b1", "inception_v3", "swin_t"])
def test_preprocessing_is_torchvisions_own_to_the_bit(name):
    from rsi_gradcam.zoo.sources.torchvision_models import preprocess_of

    skimage = pytest.importorskip("skimage")
    photo = read_photo(Path(skimage.__file__).parent / "data" / "chelsea.png")
    transforms = models.get_model_weights(name).DEFAULT.transforms()
    assert torch.equal(preprocess_of(transforms)(photo), transforms(photo))


def test_inception_is_built_as_its_own_weights_are(tmp_path, offline):
    theirs = models.inception_v3(weights=None, init_weights=False, transform_input=True).eval()
    torch.save(theirs.state_dict(), tmp_path / "inception.pth")
    loaded = zoo.load("inception_v3", weights=tmp_path / "inception.pth")
    x = torch.rand(1, 3, 299, 299)
    with torch.no_grad():
        assert torch.equal(loaded.network(x), theirs(x))
    assert loaded.default_layer == "Mixed_7c"


DATA = Path(os.environ.get("RSI_GRADCAM_DATA", ""))


@pytest.mark.skipif(
    not (DATA / "vgg19.pth").is_file() or not (DATA / "photos").is_dir(),
    reason="the paper's weights are not here: RSI_GRADCAM_DATA names a folder with vgg19.pth and photos/",
)
def test_the_papers_vgg19_recognises_its_photos():
    loaded = zoo.load("vgg19", weights=DATA / "vgg19.pth", preprocess="keras_vgg")
    assert loaded.default_layer == loaded.layers["block5_pool"] == "features.36"
    with (DATA / "photos" / "boxes.csv").open() as file:
        labels = {row[0]: int(row[1]) for row in list(csv.reader(file))[1:]}
    chosen = dict(list(labels.items())[::9])
    x = torch.stack([loaded.preprocess(read_photo(DATA / "photos" / "images" / name)) for name in chosen])
    with torch.no_grad():
        found = loaded.network(x).argmax(1)
    assert (found == torch.tensor(list(chosen.values()))).float().mean() > 0.75
