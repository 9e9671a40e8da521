from __future__ import annotations

import pytest

from rsi_gradcam.errors import TargetError
from rsi_gradcam.zoo import find_category
from rsi_gradcam.zoo.categories import find_label
from rsi_gradcam.zoo.imagenet import imagenet_categories, imagenet_synsets

IMAGENET = imagenet_categories()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("German shepherd", 235),
        ("german_shepherd", 235),
        ("GERMAN-SHEPHERD", 235),
        ("  german   shepherd ", 235),
        ("shepherd german", 235),
        ("tabby", 281),
        ("egyptian", 285),
        ("cup", 968),
        ("espresso", 967),
        ("soccer ball", 805),
        ("tabb", 281),
        ("281", 281),
        (281, 281),
        ("0", 0),
        ("great white", 2),
    ],
)
def test_a_class_is_found_as_a_person_would_say_it(said, meant):
    assert find_category(IMAGENET, said) == meant


def test_every_name_and_every_index_finds_its_own_class():
    for index, name in enumerate(IMAGENET):
        assert find_category(IMAGENET, name) == index
        assert find_category(IMAGENET, str(index)) == index


def test_a_whole_name_outweighs_longer_names_that_hold_it():
    assert IMAGENET[find_category(IMAGENET, "crane")] == "crane"


def test_names_that_differ_only_in_case_are_told_apart_to_the_letter():
    assert find_category(IMAGENET, "Cardigan") != find_category(IMAGENET, "cardigan")
    with pytest.raises(TargetError, match="'CARDIGAN' fits 2 classes: 264 Cardigan, 474 cardigan"):
        find_category(IMAGENET, "CARDIGAN")


def test_what_fits_several_classes_is_listed_with_indices():
    with pytest.raises(TargetError, match=r"'cat' fits \d+ classes: .*282 tiger cat, .*285 Egyptian cat"):
        find_category(IMAGENET, "cat")


def test_a_long_list_is_cut():
    with pytest.raises(TargetError, match=r"'e' fits \d+ classes: (\d+ [^,]+, ){9}\d+ [^,]+ and \d+ more"):
        find_category(IMAGENET, "e")


def test_an_unknown_class_gets_a_suggestion():
    with pytest.raises(TargetError, match="no class is called 'tabbby': did you mean tabby"):
        find_category(IMAGENET, "tabbby")


@pytest.mark.parametrize("index", [1000, "1000", -1, "-1"])
def test_an_index_out_of_range_is_refused(index):
    with pytest.raises(TargetError, match=r"there is no class -?\d+: this network has 1000, from 0"):
        find_category(IMAGENET, index)


@pytest.mark.parametrize("nothing", ["", "  ", "-"])
def test_nothing_finds_nothing(nothing):
    with pytest.raises(TargetError, match="no class is called"):
        find_category(IMAGENET, nothing)


def test_a_class_that_is_called_a_number_goes_by_its_name():
    assert find_category(["three", "7", "0"], "7") == 1
    assert find_category(["three", "7", "0"], 0) == 0


def test_synonyms_after_commas_count():
    assert find_category(["tabby, tabby cat", "tiger cat", "cat"], "tabby cat") == 0


@pytest.mark.parametrize("label", ["bed", "horse", "bird", "dog", "shepherd german", "tabb", "", "n99999999"])
def test_a_data_sets_label_is_no_part_of_a_classs_name(label):
    with pytest.raises(TargetError, match=f"the label '{label}' is no class of this network by its whole name") as e:
        find_label(IMAGENET, label)
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("label", ["tiger cat", "Tiger_Cat", "TIGER  CAT", 282, "282", "n02123159"])
def test_a_data_sets_label_is_a_whole_name_an_index_or_a_synset(label):
    assert find_label(IMAGENET, label) == 282


def test_every_name_index_and_synset_is_its_own_classs_label():
    for index, (name, synset) in enumerate(zip(IMAGENET, imagenet_synsets(), strict=True)):
        assert find_label(IMAGENET, name) == find_label(IMAGENET, synset) == find_label(IMAGENET, index) == index


def test_synonyms_are_labels_and_a_synset_is_none_where_the_classes_are_not_imagenets():
    names = ["tabby, tabby cat", "tiger cat", "crane, bird", "crane, machine"]
    assert find_label(names, "tabby_cat") == 0
    with pytest.raises(TargetError, match="'crane' fits 2 classes"):
        find_label(names, "crane")
    with pytest.raises(TargetError, match="the label 'n02123045' is no class"):
        find_label(names, "n02123045")


def test_imagenets_names_are_torchvisions():
    models = pytest.importorskip("torchvision.models")
    assert tuple(models.VGG19_Weights.DEFAULT.meta["categories"]) == IMAGENET
