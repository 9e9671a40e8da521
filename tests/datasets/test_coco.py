from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rsi_gradcam.datasets import Example
from rsi_gradcam.datasets.coco import COCO
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images import Box
from tests.datasets.made import coco, instances, write
from tests.datasets.photos import save, white_box

SIZE = (20, 12)


def rewritten(root, lists):
    """The data set with other lists."""
    data = coco(root)
    write(data.file, lists if isinstance(lists, str) else json.dumps(lists))
    return COCO(str(root))


def test_each_class_of_a_photo_is_an_example_with_its_boxes(tmp_path):
    assert coco(tmp_path).examples() == (
        Example("000000000001.png", "cat", (Box(2, 3, 9, 12),), SIZE),
        Example("000000000002.png#hot dog", "hot dog", (Box(0, 0, 9, 5), Box(11, 2, 20, 4)), SIZE),
        Example("000000000002.png#cat", "cat", (Box(0, 0, 20, 5),), SIZE),
    )


def test_a_box_is_on_its_thing_to_the_pixel_also_where_the_file_says_the_photo_is_turned(tmp_path):
    data = coco(tmp_path)
    for example in (data.examples()[0], data.examples()[2]):
        assert white_box(data.photo(example)) == example.boxes[0]


def test_a_photo_whose_size_is_told_as_it_is_upright_was_drawn_on_upright(tmp_path):
    lists = instances((2, 17, (7, 0, 5, 20)), size=(12, 20))
    data = rewritten(tmp_path, lists)
    assert white_box(data.photo(data.examples()[0])) == data.examples()[0].boxes[0] == Box(7, 0, 12, 20)


def test_crowds_and_boxes_without_area_are_left_out_and_what_reaches_over_the_rim_is_cut(tmp_path):
    lists = instances(
        (1, 17, (0, 0, 5, 5), "crowd"),
        (1, 17, (1, 1, 0, 3)),
        (1, 18, (15.5, 10, 5, 2.5)),
        (2, 17, (0, 0, 2, 2), "crowd"),
    )
    assert rewritten(tmp_path, lists).examples() == (
        Example("000000000001.png", "hot dog", (Box(15.5, 10, 20, 12),), SIZE),
    )


def test_single_takes_photos_of_one_class_and_counts_crowds(tmp_path):
    assert [each.name for each in replace(coco(tmp_path), single=True).examples()] == ["000000000001.png"]
    lists = instances((1, 17, (0, 0, 5, 5), "crowd"), (1, 18, (1, 1, 3, 3)), (2, 18, (1, 1, 3, 3)))
    data = replace(rewritten(tmp_path, lists), single=True)
    assert [each.name for each in data.examples()] == ["000000000002.png"]


def test_the_json_may_be_given_itself_or_by_its_name(tmp_path):
    data = coco(tmp_path)
    file = tmp_path / "annotations" / "instances_val2017.json"
    for other in (COCO(str(file)), COCO(str(tmp_path), file.name), COCO(str(tmp_path), str(file))):
        assert other.examples() == data.examples()
        assert other.photo(other.examples()[0]).size == SIZE


def test_photos_are_where_they_are_said_to_be_or_in_images_or_beside(tmp_path):
    (file := coco(tmp_path).file).rename(tmp_path / "labels.json")
    (tmp_path / "val2017").rename(tmp_path / "elsewhere")
    with pytest.raises(DatasetError, match="say in which folder the photos are"):
        COCO(str(tmp_path)).examples()
    data = COCO(str(tmp_path), photos=str(tmp_path / "elsewhere"))
    assert data.photo(data.examples()[0]).size == SIZE
    (tmp_path / "elsewhere").rename(tmp_path / "images")
    assert len(COCO(str(tmp_path / "labels.json")).examples()) == 3
    save(tmp_path / "beside" / "000000000001.png")
    (tmp_path / "labels.json").rename(tmp_path / "beside" / "labels.json")
    assert COCO(str(tmp_path / "beside")).path(Example("000000000001.png")).is_file()
    assert not file.exists()


def test_of_several_files_that_with_photos_is_taken_or_one_must_be_told(tmp_path):
    file = coco(tmp_path).file
    write(file.with_name("instances_train2017.json"), "{}")
    assert len(COCO(str(tmp_path)).examples()) == 3
    (tmp_path / "images" / "train2017").mkdir(parents=True)
    with pytest.raises(DatasetError, match=r"has instances_train2017.json, instances_val2017.json: say which by"):
        COCO(str(tmp_path)).examples()
    assert len(COCO(str(tmp_path), "instances_val2017.json").examples()) == 3


def without(lists, name, key):
    lists[name][0].pop(key)
    return lists


CAT = (1, 17, (0, 0, 5, 5))


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ("", "is no readable JSON"),
        ('{"images": [', "is no readable JSON"),
        ("[]", "has no list of images, annotations, categories"),
        ({"images": [], "annotations": [], "categories": 3}, "has no list of categories"),
        ({"images": [], "annotations": [], "categories": []}, "is empty"),
        (without(instances(CAT), "annotations", "bbox"), "KeyError: 'bbox'"),
        (without(instances(CAT), "images", "id"), "KeyError: 'id'"),
        (without(instances(CAT), "categories", "name"), "KeyError: 'name'"),
        (instances((1, 99, (0, 0, 5, 5))), "KeyError: 99"),
        (instances((1, 17, (0, 0, 5))), "not as COCO's instances are"),
        (instances((1, 17, (0, 0, "x", 5))), "not as COCO's instances are"),
        ({"images": [3], "annotations": [], "categories": []}, "not as COCO's instances are"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path, lists, said):
    with pytest.raises(DatasetError, match=said) as caught:
        rewritten(tmp_path, lists).examples()
    assert "\n" not in str(caught.value)


def test_a_wrong_folder_is_one_line(tmp_path):
    with pytest.raises(DatasetError, match="none is not there: give the folder that holds annotations"):
        COCO(str(tmp_path / "none")).examples()
    with pytest.raises(DatasetError, match=r"has no annotations/instances_….json: say annotations="):
        COCO(str(tmp_path)).examples()
    with pytest.raises(DatasetError, match=r"has no other.json: say annotations="):
        COCO(str(tmp_path), "other.json").examples()
