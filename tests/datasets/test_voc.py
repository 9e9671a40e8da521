from __future__ import annotations

from dataclasses import replace

import pytest

from rsi_gradcam.datasets import Example
from rsi_gradcam.datasets.voc import VOC
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images import Box
from tests.datasets.made import voc, write, xml
from tests.datasets.photos import white_box

SIZE = (20, 12)


def test_each_class_of_a_photo_is_an_example_with_its_boxes_in_the_order_of_the_split(tmp_path):
    assert voc(tmp_path).examples() == (
        Example("000002.png#dog", "dog", (Box(0, 0, 9, 5), Box(11, 2, 20, 4)), SIZE),
        Example("000002.png#cat", "cat", (Box(0, 0, 20, 5),), SIZE),
        Example("000001.png", "cat", (Box(2, 3, 9, 12),), SIZE),
    )


def test_a_box_is_on_its_thing_to_the_pixel_also_where_the_file_says_the_photo_is_turned(tmp_path):
    data = voc(tmp_path)
    for example in data.examples()[1:]:
        assert white_box(data.photo(example)) == example.boxes[0]


def test_single_takes_photos_of_one_class_and_counts_what_is_difficult(tmp_path):
    data = replace(voc(tmp_path), single=True)
    assert [example.name for example in data.examples()] == ["000001.png"]
    write(tmp_path / "Annotations" / "000002.xml", xml(("cat", (1, 1, 9, 5)), ("dog", (1, 1, 2, 2), "difficult")))
    assert [example.name for example in replace(data).examples()] == ["000001.png"]


def test_what_is_difficult_is_left_out_unless_wanted(tmp_path):
    data = voc(tmp_path)
    things = ("cat", (1, 1, 9, 5)), ("cat", (1, 1, 20, 5), "difficult"), ("dog", (1, 1, 2, 2), "difficult")
    write(tmp_path / "Annotations" / "000002.xml", xml(*things))
    assert data.examples()[0] == Example("000002.png", "cat", (Box(0, 0, 9, 5),), SIZE)
    assert len(data.examples()) == 2
    wanted = replace(data, difficult=True).examples()
    assert [(each.name, len(each.boxes)) for each in wanted[:2]] == [("000002.png#cat", 2), ("000002.png#dog", 1)]


def test_without_a_split_every_annotated_photo_is_taken(tmp_path):
    names = [each.name for each in replace(voc(tmp_path), split="").examples()]
    assert names == ["000001.png", "000002.png#dog", "000002.png#cat"]


def test_the_devkit_of_one_year_is_the_year_and_of_two_must_be_told(tmp_path):
    voc(tmp_path / "VOC2012")
    assert VOC(str(tmp_path)).examples() == VOC(str(tmp_path / "VOC2012")).examples()
    voc(tmp_path / "VOC2007")
    with pytest.raises(DatasetError, match="holds VOC2007, VOC2012: give one of them"):
        VOC(str(tmp_path)).examples()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda root: root / "none", "none is not there: give the folder that holds JPEGImages"),
        (lambda root: root / "JPEGImages" / "000001.png", "is a file: give the folder"),
        (lambda root: root / "Annotations", "has no folder JPEGImages"),
        (lambda root: (root / "Annotations").rename(root / "Labels").parent, "has no folder Annotations"),
        (
            lambda root: (root / "ImageSets/Main/val.txt").rename(root / "ImageSets/Main/test.txt").parents[2],
            "no list of split 'val': there are test",
        ),
        (lambda root: (root / "Annotations/000001.xml").unlink() or root, "000001 of split 'val' has no annotation"),
        (lambda root: (root / "JPEGImages/000002.png").unlink() or root, "000002 of split 'val' has no photo in"),
        (lambda root: write(root / "ImageSets/Main/val.txt", "").parents[2], "is empty"),
        (lambda root: write(root / "Annotations/000001.xml", "<a").parents[1], "no readable XML"),
    ],
)
def test_a_mistake_is_one_line(tmp_path, spoil, said):
    voc(tmp_path)
    with pytest.raises(DatasetError, match=said) as caught:
        VOC(str(spoil(tmp_path))).examples()
    assert "\n" not in str(caught.value)
