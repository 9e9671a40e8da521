from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product
from math import prod

import numpy as np
import pytest
import torch
from PIL import Image

from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.datasets.mosaic import SAMPLES, Mosaic, Samples, possible
from rsi_gradcam.errors import ConfigurationError, DatasetError, MissingExtra
from rsi_gradcam.images import Preprocess, inside


class Colours(Dataset):
    """Photos of one grey each; `labels` their classes."""

    def __init__(self, labels, size=(30, 18)):
        self.labels, self.size = labels, size

    def examples(self):
        return [Example(f"p{i}", label) for i, label in enumerate(self.labels)]

    def photo(self, example):
        return Image.new("RGB", self.size, (10 * int(example.name[1:]) + 10,) * 3)

    def __repr__(self):
        return "Colours()"


LABELS = ["a", "b", "c", "d", "e", "a", 7, None]


def test_every_tile_is_a_photo_of_its_class_and_the_box_is_the_tile():
    data = Mosaic(Colours(LABELS), count=9, tile=16)
    for example in data.examples():
        (box,) = example.boxes
        left, top, right, bottom = map(int, box)
        tile = np.asarray(data.photo(example))[top:bottom, left:right]
        assert tile.shape == (16, 16, 3)
        assert tile.std() == 0
        assert LABELS[tile[0, 0, 0] // 10 - 1] == example.label


@pytest.mark.parametrize("grid", [2, 3])
def test_tiles_of_a_mosaic_are_of_different_classes_and_cover_it_once(grid):
    data = Mosaic(Colours(range(12)), grid, count=4, tile=10)
    examples = data.examples()
    assert len(examples) == 4 * grid**2
    for start in range(0, len(examples), grid**2):
        tiles = examples[start : start + grid**2]
        assert len({each.name.partition("#")[0] for each in tiles}) == 1
        assert len({each.label for each in tiles}) == grid**2
        covered = sum(inside(each.boxes, (grid * 10,) * 2).int() for each in tiles)
        assert (covered == 1).all()
        assert len({data.photo(each).tobytes() for each in tiles}) == 1


def test_tiles_are_laid_row_by_row():
    corners = [example.boxes[0][:2] for example in Mosaic(Colours("abcd"), count=1, tile=8).examples()]
    assert corners == [(0, 0), (8, 0), (0, 8), (8, 8)]


def test_the_order_in_which_classes_are_listed_does_not_matter():
    labels = [[each.label for each in Mosaic(Colours(order)).examples()] for order in ("abcde", "ecbad")]
    assert labels[0] == labels[1]


def test_a_source_of_ones_own_that_is_no_dataclass_is_pickled_too():
    data = Mosaic(Colours("abcde"))
    again = pickle.loads(pickle.dumps(data))
    assert again.examples() == data.examples()
    assert again.photo(again.examples()[0]).tobytes() == data.photo(data.examples()[0]).tobytes()


def test_a_tile_is_the_largest_square_in_the_middle():
    class Wide(Colours):
        def photo(self, example):
            pixels = np.zeros((16, 40, 3), np.uint8)
            pixels[:, 12:28] = 200
            return Image.fromarray(pixels)

    data = Mosaic(Wide("abcd"), count=1, tile=8)
    assert (np.asarray(data.photo(data.examples()[0])) == 200).all()


@pytest.mark.parametrize("mode", ["squash", "crop"])
def test_the_box_follows_its_tile_into_the_network(mode):
    data, preprocess = Mosaic(Colours("abcd"), count=1, tile=20), Preprocess((24, 24), mode, "nearest", crop_pct=0.75)
    for example in data.examples():
        photo = data.photo(example)
        seen = (preprocess.pixels(photo)[0] * 255).round()
        mask = inside([preprocess.box_to_input(example.boxes[0], photo.size)], (24, 24))
        grey = 10 * ("abcd".index(example.label) + 1)
        assert torch.equal(mask, seen == grey)


def test_mosaics_hang_on_the_seed_alone_and_none_comes_twice():
    data = Mosaic(Colours("abcde"), count=120)
    assert data.examples() == Mosaic(Colours("abcde"), count=120).examples()
    assert Mosaic(Colours("abcde")).examples() != Mosaic(Colours("abcde"), seed=1).examples()
    assert len(set(data.mosaics)) == 120
    assert Mosaic(Colours("abcde"), count=5).examples() == data.examples()[:20]  # more only adds
    assert set(Counter(each.label for each in data.examples()).values()) == {96}


def test_a_photo_of_two_classes_is_no_two_tiles():
    class Twice(Colours):
        def examples(self):
            return [
                Example(f"p{i}#{label}", label) for i, label in ((0, "a"), (0, "b"), (1, "b"), (2, "c"), (3, "d"))
            ]

    data = Mosaic(Twice("abcd"), count=24)
    for tiles in data.mosaics:
        assert len({each.name.partition("#")[0] for each in tiles}) == 4
    with pytest.raises(DatasetError, match="gives 24 mosaics, 25 were wanted"):
        Mosaic(Twice("abcd"), count=25).examples()


@pytest.mark.parametrize(("photos", "tiles"), [([1, 1, 1, 1, 1], 4), ([2, 1, 3, 1], 3), ([2, 2], 2), ([1, 5], 3)])
def test_the_number_of_mosaics_is_what_counting_them_gives(photos, tiles):
    ways = sum(prod(photos[i] for i in chosen) for chosen in combinations(range(len(photos)), tiles))
    assert possible(photos, tiles) == ways * len(list(permutations(range(tiles))))
    listed = [
        (order, picks)
        for order in permutations(range(len(photos)), tiles)
        for picks in product(*(range(photos[i]) for i in order))
    ]
    assert possible(photos, tiles) == len(listed)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"grid": 1}, "grid must be a whole number, 2 or more, got 1"),
        ({"count": 0}, "count must be a whole number, 1 or more, got 0"),
        ({"tile": 2.5}, "tile must be a whole number, 8 or more"),
    ],
)
def test_numbers_out_of_range_are_refused(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        Mosaic(**wrong)


def test_too_few_classes_or_photos_are_told():
    with pytest.raises(DatasetError, match=r"3×3 tiles need photos of 9 classes, Samples\(\) has 5: take a smaller"):
        Mosaic(grid=3).examples()
    with pytest.raises(DatasetError, match=r"gives 24 mosaics, 30 were wanted"):
        Mosaic(Colours("abcd"), count=30).examples()


def test_without_scikit_image_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skimage", None)
    with pytest.raises(MissingExtra, match=r"rsi-gradcam\[evaluation\]"):
        Mosaic().photo(Mosaic().examples()[0])


def test_the_built_in_network_sees_in_each_built_in_photo_what_it_is_labelled():
    pytest.importorskip("skimage")
    from rsi_gradcam.zoo import load

    network, photos = load(), Samples()
    assert [each.label for each in photos.examples()] == list(SAMPLES.values())
    for example in photos.examples():
        with torch.no_grad():
            logits = network.network(network.preprocess(photos.photo(example))[None])[0]
        assert int(logits.argmax()) == network.index_of(example.label)


def test_the_built_in_mosaic_needs_nothing():
    pytest.importorskip("skimage")
    data = replace(Mosaic(), tile=32)
    assert len(data.examples()) == 80
    assert data.photo(data.examples()[0]).size == (64, 64)
