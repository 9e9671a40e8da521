from __future__ import annotations

import pickle

import pytest
import torch
from torch import nn

from rsi_gradcam.errors import WeightsError
from rsi_gradcam.zoo.weights_file import fit, read_weights


@pytest.fixture
def state():
    return nn.Linear(3, 2).state_dict()


@pytest.mark.parametrize(
    "wrapped",
    [
        lambda state: state,
        lambda state: {"epoch": 3, "state_dict": state},
        lambda state: {"model": state, "optimizer": {}},
        lambda state: {f"module.{name}": value for name, value in state.items()},
    ],
)
def test_the_state_dict_is_found_in_whatever_it_was_saved(tmp_path, state, wrapped):
    torch.save(wrapped(state), tmp_path / "weights.pth")
    found = read_weights(tmp_path / "weights.pth")
    assert list(found) == ["weight", "bias"]
    assert torch.equal(found["weight"], state["weight"])


def test_safetensors_are_read(tmp_path, state):
    safetensors = pytest.importorskip("safetensors.torch")
    safetensors.save_file(state, tmp_path / "weights.safetensors")
    assert torch.equal(read_weights(tmp_path / "weights.safetensors")["bias"], state["bias"])


class Harmful:
    def __reduce__(self):
        return (print, ("code was run",))


def test_code_in_the_file_is_not_run(tmp_path, capsys):
    torch.save({"weight": Harmful()}, tmp_path / "harmful.pth")
    assert "holds more than tensors" in refusal(tmp_path / "harmful.pth")
    assert capsys.readouterr().out == ""


def test_a_whole_module_is_refused(tmp_path):
    torch.save(nn.Linear(3, 2), tmp_path / "module.pth")
    assert "model.state_dict()" in refusal(tmp_path / "module.pth")


def test_what_is_no_weights_file_is_refused_in_one_line(tmp_path, state):
    broken = tmp_path / "broken.pth"
    torch.save(state, broken)
    broken.write_bytes(broken.read_bytes()[:300])
    text = tmp_path / "text.pth"
    text.write_text("hello")
    tensors = tmp_path / "tensors.safetensors"
    tensors.write_bytes(b"\0" * 50)
    other = tmp_path / "other.pth"
    torch.save([1, 2], other)
    old = tmp_path / "pickle.pth"
    old.write_bytes(pickle.dumps({"weight": 1}))
    assert "no readable weights file" in refusal(broken)
    assert "no readable weights file" in refusal(text)
    assert "no readable weights file" in refusal(tensors)
    assert "holds list, not a state dict" in refusal(other)
    assert str(old) in refusal(old)
    assert "is not there" in refusal(tmp_path / "none.pth")
    assert "is not there" in refusal(tmp_path)


def refusal(path):
    with pytest.raises(WeightsError) as caught:
        read_weights(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_fitting_weights_are_loaded(state):
    network = nn.Linear(3, 2)
    fit(network, state, "file")
    assert torch.equal(network.weight, state["weight"])


def test_weights_that_do_not_fit_are_told_by_name_and_shape(state):
    wrong = {"weight": torch.zeros(5, 3), "scale": torch.zeros(1), **{f"extra.{i}": torch.zeros(1) for i in range(4)}}
    with pytest.raises(WeightsError) as caught:
        fit(nn.Linear(3, 2), wrong, "mine.pth")
    assert str(caught.value) == (
        "the weights of mine.pth do not fit Linear: 1 missing (bias); 5 unexpected (scale, extra.0, extra.1, …); "
        "1 of another shape (weight (5, 3) for (2, 3)): give the network they were made for"
    )
