from __future__ import annotations

import sys

import pytest

from rsi_gradcam import zoo
from rsi_gradcam.errors import ModelError
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.sources.own_model import UnknownPreprocessing

CODE = """
from torch import nn
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo import adopt

SMALL = Preprocess((16, 16), "squash")

def bare():
    return nn.Sequential(nn.Conv2d(3, 2, 3, stride=4), nn.AdaptiveAvgPool2d(1), nn.Flatten())

def whole():
    return bare(), SMALL, ["cat", "dog"]

def network():
    return adopt(bare(), SMALL, ["cat", "dog"], name="adopted")

ready = bare()

class Nets:
    build = staticmethod(whole)

def nothing():
    return 3

def failing():
    raise RuntimeError("no disk\\nand more")

def greedy(size):
    return bare()

def leaving():
    raise SystemExit("see the usage")
"""


@pytest.fixture
def nets(tmp_path, monkeypatch):
    (tmp_path / "own_nets.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    yield "own_nets"
    sys.modules.pop("own_nets", None)


def test_a_module_alone_gets_imagenets_preprocessing_and_numbered_classes(nets):
    with pytest.warns(UnknownPreprocessing, match=r"ImageNet's usual .* return \(network, Preprocess"):
        loaded = zoo.load(f"{nets}:bare")
    assert loaded.preprocess == Preprocess.imagenet()
    assert loaded.categories == ("class 0", "class 1")
    assert loaded.default_layer == "0"


@pytest.mark.parametrize("factory", ["whole", "network", "Nets.build"])
def test_preprocessing_and_categories_come_with_it(nets, factory):
    loaded = zoo.load(f"{nets}:{factory}")
    assert loaded.preprocess.size == (16, 16)
    assert loaded.categories == ("cat", "dog")


def test_a_ready_module_needs_no_factory(nets):
    assert zoo.load(f"{nets}:ready", preprocess="imagenet").name == f"{nets}:ready"


def test_a_file_is_taken_by_its_path(nets, tmp_path):
    assert zoo.load(f"{tmp_path / 'own_nets.py'}:whole").categories == ("cat", "dog")


def test_other_preprocessing_outweighs_its_own(nets):
    other = Preprocess((32, 32))
    for factory in ("bare", "whole", "network"):
        assert zoo.load(f"{nets}:{factory}", preprocess=other).preprocess == other


def test_the_search_path_is_left_as_it_was(nets):
    before = list(sys.path)
    zoo.load(f"{nets}:whole")
    assert sys.path == before


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own_nets:hole", "own_nets has no 'hole': did you mean whole"),
        ("own_nets:nothing", "own_nets:nothing gives int: it should give"),
        ("own_nets:failing", r"own_nets:failing failed \(RuntimeError: no disk\)"),
        ("own_nets:leaving", r"own_nets:leaving failed \(SystemExit: see the usage\)"),
        ("own_nets:greedy", "is called without arguments"),
        ("no_such_module:build", r"no_such_module cannot be imported \(ModuleNotFoundError"),
        ("no/such/file.py:build", r"no/such/file\.py cannot be imported \(FileNotFoundError"),
        (":build", "names no module"),
        ("own_nets:", "own_nets has no ''"),
    ],
)
def test_what_goes_wrong_is_told_in_one_line(nets, name, said):
    with pytest.raises(ModelError, match=said) as caught:
        zoo.load(name)
    assert "\n" not in str(caught.value)
