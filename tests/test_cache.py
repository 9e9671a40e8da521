from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from rsi_gradcam.cache import Cache, fingerprint, folder
from tests.networks import network


@pytest.fixture(autouse=True)
def _fresh_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RSI_GRADCAM_CACHE", str(tmp_path / "cache"))


def test_what_was_saved_is_loaded_by_what_it_was_made_from():
    tensor = torch.randn(3, 4, dtype=torch.float64)
    Cache("kind", ("a", 1)).save(tensor)
    assert torch.equal(Cache("kind", ("a", 1)).load(), tensor)
    assert Cache("kind", ("a", 2)).load() is None
    assert Cache("other", ("a", 1)).load() is None


def test_nothing_but_the_entry_is_left_in_the_folder():
    Cache("kind", 1).save(torch.ones(2))
    assert [each.suffix for each in folder().iterdir()] == [".pt"]


def test_the_folder_is_the_users_own_unless_told_otherwise(monkeypatch, tmp_path):
    assert folder() == tmp_path / "cache"
    monkeypatch.delenv("RSI_GRADCAM_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder() == tmp_path / "xdg" / "rsi-gradcam"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert folder() == Path.home() / ".cache" / "rsi-gradcam"


def test_equal_weights_have_equal_fingerprints_and_others_have_others():
    assert fingerprint(network("residual")) == fingerprint(network("residual"))
    assert fingerprint(network("residual")) != fingerprint(network("residual", seed=1))
    assert fingerprint(network("residual")) != fingerprint(network("residual", dtype=torch.float32))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_any_dtype_have_a_fingerprint(dtype):
    assert len(fingerprint(network("residual", dtype=dtype))) == 64


def changed_in_place(model):
    with torch.no_grad():
        model.head.weight[0, 0] += 1


def changed_by_data(model):
    model.head.weight.data[0, 0] += 1


def replaced_by_one_of_the_same_making(model):
    model.head = network("smooth", seed=1).head


def replaced_data(model):
    model.head.weight.data = network("smooth", seed=1).head.weight.data


def loaded(model):
    model.load_state_dict(network("smooth", seed=1).state_dict())


CHANGES = [changed_in_place, changed_by_data, replaced_by_one_of_the_same_making, replaced_data, loaded]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_weights_that_have_changed_have_another_fingerprint(change):
    model = network("smooth")
    before = fingerprint(model)
    assert fingerprint(model) == before
    change(model)
    assert fingerprint(model) != before


def test_a_model_made_in_inference_mode_has_a_fingerprint():
    with torch.inference_mode():
        model = nn.Linear(2, 2)
    assert len(fingerprint(model)) == 64


def test_a_batch_norms_statistics_count_too():
    model = network("residual")
    before = fingerprint(model)
    model.stem[1].running_mean += 1
    assert fingerprint(model) != before
