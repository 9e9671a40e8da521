"""What every data set must satisfy. A new file in datasets/ is covered once it has an example here."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from typing import get_args

import numpy as np
import pytest

from rsi_gradcam.datasets import Dataset, Selection, catalogue
from rsi_gradcam.images import Box
from tests.datasets.made import MAKERS

each_dataset = pytest.mark.parametrize("name", catalogue())


@pytest.fixture
def made(name, tmp_path):
    return MAKERS[name](tmp_path)


@each_dataset
def test_it_says_in_a_line_what_it_is(name):
    kind = catalogue()[name]
    assert issubclass(kind, Dataset)
    assert not inspect.isabstract(kind)
    assert kind.name == name
    assert inspect.getdoc(kind)
    assert 0 < len(kind.summary) < 100
    assert "\n" not in kind.summary
    assert kind.selection in get_args(Selection)
    assert kind.selection == "none" or kind.boxed


@each_dataset
def test_it_is_a_frozen_dataclass_whose_text_is_its_configuration(name, made):
    kinds = {kind.__name__: kind for kind in catalogue().values()}
    assert eval(repr(made), kinds) == made
    assert hash(made) == hash(eval(repr(made), kinds))
    for field in dataclasses.fields(made):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, field.name, None)


@each_dataset
def test_the_order_is_fixed_and_names_are_unique(name, made, tmp_path):
    examples = made.examples()
    assert len(examples) > 1
    assert len({example.name for example in examples}) == len(examples)
    assert list(dataclasses.replace(made).examples()) == list(examples) == list(made.examples())


@each_dataset
def test_it_pickles_as_its_description_alone_and_gives_the_same_again(name, made):
    short = len(pickle.dumps(made))
    examples = list(made.examples())
    made.photo(examples[0])
    assert len(pickle.dumps(made)) == short < 1000
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert list(again.examples()) == examples
    assert again.photo(pickle.loads(pickle.dumps(examples[0]))).tobytes() == made.photo(examples[0]).tobytes()


@each_dataset
def test_labels_are_indices_or_names(name, made):
    for example in made.examples():
        assert type(example.label) in (int, str)


@each_dataset
def test_a_photo_is_rgb_and_what_is_labelled_is_inside_its_boxes(name, made):
    """White things were painted on black; a data set without boxes has whole photos of them."""
    for example in made.examples():
        photo = made.photo(example)
        assert photo.mode == "RGB"
        assert example.size in (None, photo.size)
        assert bool(example.boxes) == made.boxed
        seen = np.zeros((photo.height, photo.width), bool)
        for box in example.boxes:
            assert type(box) is Box
            assert all(type(edge) is float for edge in box)
            assert box.within(Box.whole(photo.size)) == box
            assert box.width > 0
            assert box.height > 0
            left, top, right, bottom = map(int, box)
            seen[top:bottom, left:right] = True
        if made.boxed:
            white = np.asarray(photo)[..., 0] > 127
            assert white[seen].all()
