from __future__ import annotations

import pytest

from rsi_gradcam.web import networks
from rsi_gradcam.web.limits import NETWORKS
from rsi_gradcam.web.networks import Networks
from tests.web.fakes import loaded


@pytest.fixture
def calls(monkeypatch):
    found = []

    def load(name, weights=None):
        found.append((name, weights))
        return loaded().network

    monkeypatch.setattr(networks, "load", load)
    return found


def test_the_first_stays_and_of_others_the_last_few(calls, tmp_path):
    known = Networks("first", tmp_path / "weights.pt")
    for name in ("first", "a", "b", "c", "first", "c", "a"):
        known.get(name)
    assert calls == [("first", tmp_path / "weights.pt"), ("a", None), ("b", None), ("c", None), ("a", None)]
    assert len(known._loaded) == 1 + NETWORKS


def test_one_that_cannot_be_loaded_is_no_loss(monkeypatch):
    def load(name, weights=None):
        raise OSError("no such network")

    known = Networks("first")
    known._loaded["first"] = loaded()
    monkeypatch.setattr(networks, "load", load)
    with pytest.raises(OSError, match="no such network"):
        known.get("other")
    assert known.get("first").name == "tiny"


def test_layers_with_names_come_first_and_say_their_shape():
    one = loaded()
    shown = one.layers
    assert {path for _, path in shown} == {layer.name for layer in one.network.spatial_layers()}
    shapes = {layer.name: "×".join(map(str, layer.shape)) for layer in one.network.spatial_layers()}
    friendly = set(one.network.layers.values())
    assert all(title.endswith(f" · {shapes[path]}") for title, path in shown)
    named = [path in friendly for _, path in shown]
    assert named == sorted(named, reverse=True)


def test_the_start_leads_the_list():
    assert Networks("resnet18").names()[0] == "resnet18"
    assert len(set(Networks().names())) == len(Networks().names())
