from __future__ import annotations

import pytest
import torch

from rsi_gradcam import zoo
from rsi_gradcam.errors import ModelError, WeightsError
from rsi_gradcam.zoo import download

timm = pytest.importorskip("timm")


@pytest.fixture
def offline(monkeypatch, tmp_path):
    def fail(*_given, **_named):
        raise OSError("Network is unreachable")

    monkeypatch.setattr(download, "urlopen", fail)
    monkeypatch.setattr(torch.hub, "get_dir", lambda: str(tmp_path / "hub"))
    return tmp_path / "hub" / "checkpoints"


@pytest.fixture
def small(tmp_path):
    network = timm.create_model("test_resnet", pretrained=False).eval()
    torch.save(network.state_dict(), tmp_path / "small.pth")
    return network, tmp_path / "small.pth"


def test_a_local_file_gives_the_network_with_its_transforms_and_categories(small, offline):
    theirs, path = small
    loaded = zoo.load("test_resnet", weights=path)
    x = torch.rand(1, 3, 160, 160)
    with torch.no_grad():
        assert torch.equal(loaded.network(x), theirs(x))
    assert loaded.categories[281] == "tabby"
    assert loaded.preprocess.size == (160, 160)
    assert loaded.default_layer == "layer4"
    assert "state_dict" not in loaded.network.pretrained_cfg


def test_what_lies_in_torchs_cache_is_not_fetched(small, offline):
    offline.mkdir(parents=True)
    repository = timm.get_pretrained_cfg("test_resnet").hf_hub_id
    pytest.importorskip("safetensors.torch").save_file(
        small[0].state_dict(), offline / f"{repository.replace('/', '--')}--model.safetensors"
    )
    loaded = zoo.load("timm/test_resnet")
    assert torch.equal(loaded.network.conv1[0].weight, small[0].conv1[0].weight)
    assert loaded.weights.startswith("timm test_resnet.")


def test_offline_one_line_says_which_file_to_put_where(offline):
    with pytest.raises(WeightsError) as caught:
        zoo.load("timm/resnet18.a1_in1k")
    message = str(caught.value)
    assert "download https://huggingface.co/timm/resnet18.a1_in1k/resolve/main/model.safetensors" in message
    assert f"put it at {offline / 'timm--resnet18.a1_in1k--model.safetensors'}" in message
    assert "\n" not in message


def test_weights_of_another_network_are_refused_in_one_line(small, tmp_path):
    torch.save({"conv.weight": torch.zeros(1)}, tmp_path / "other.pth")
    with pytest.raises(WeightsError, match=r"do not fit ResNet: \d+ missing") as caught:
        zoo.load("timm/test_resnet", weights=tmp_path / "other.pth")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("timm/resnet19", ModelError, "timm has no network 'resnet19': did you mean resnet1"),
        ("timm/resnet18.none_in1k", WeightsError, r"timm has no such weights: (did you mean|there are)"),
        ("timm/vit_base_patch16_224.dino", ModelError, "gives features and has no classes"),
    ],
)
def test_what_timm_does_not_have_is_told(name, error, said, offline):
    with pytest.raises(error, match=said):
        zoo.load(name)


def test_a_network_that_pads_its_photos_is_refused_without_other_preprocessing():
    from rsi_gradcam.zoo.sources.timm_models import preprocess_of

    config = {"crop_mode": "border", "crop_pct": 1.0}
    with pytest.raises(ModelError, match="pads its photos"):
        preprocess_of("net", config)


def test_larger_sets_of_classes_get_timms_names():
    from rsi_gradcam.zoo.sources.timm_models import categories_of

    names = categories_of({"num_classes": 21841})
    assert len(names) == 21841
    assert categories_of({"num_classes": 7}) is None
    assert categories_of({"num_classes": 2, "label_names": ["cat", "dog"]}) == ("cat", "dog")
