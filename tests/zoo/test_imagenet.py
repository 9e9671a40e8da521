from __future__ import annotations

import pytest

from rsi_gradcam.zoo.imagenet import imagenet_categories, imagenet_synsets, synset_indices


def test_there_are_a_thousand_classes_in_the_order_of_their_synsets():
    assert len(imagenet_categories()) == len(set(imagenet_synsets())) == 1000
    assert list(imagenet_synsets()) == sorted(imagenet_synsets())
    assert synset_indices()["n01440764"] == 0
    assert synset_indices()["n15075141"] == imagenet_categories().index("toilet tissue") == 999


def test_the_synsets_are_those_of_timm_and_mean_the_names():
    timm = pytest.importorskip("timm.data")
    theirs = timm.ImageNetInfo()
    assert list(imagenet_synsets()) == theirs.label_names()
    other = [
        name
        for index, name in enumerate(imagenet_categories())
        if name.lower() not in theirs.index_to_description(index).lower()
    ]
    assert other == ["crane bird", "maillot tank suit"]  # of two classes each, told apart
