from __future__ import annotations

import time
from dataclasses import replace

import pytest

from rsi_gradcam.datasets import Example, opened
from rsi_gradcam.datasets.imagenet import ImageNet
from rsi_gradcam.errors import DatasetError, ImageError
from rsi_gradcam.images import Box
from tests.datasets.made import imagenet, write, xml
from tests.datasets.photos import save, white_box

SIZE = (20, 12)
LINES = (
    "ImageId,PredictionString\n"
    "ILSVRC2012_val_00000002,n01440764 0 0 8 4 n01440764 11 2 19 3 \n"
    "ILSVRC2012_val_00000001,n02123045 2 3 8 11 \n"
    "ILSVRC2012_val_00000009,n02123045 2 3 8 11 \n"
)


def test_by_xml(tmp_path):
    assert imagenet(tmp_path).examples() == (
        Example("ILSVRC2012_val_00000001.png", 281, (Box(2, 3, 9, 12),), SIZE),
        Example("ILSVRC2012_val_00000002.png", 0, (Box(0, 0, 9, 5), Box(11, 2, 20, 4)), SIZE),
    )


def test_by_csv_it_is_the_same_but_for_the_size_which_is_not_told(tmp_path):
    data = imagenet(tmp_path)
    file = write(tmp_path / "solution.csv", LINES)
    assert ImageNet(str(tmp_path), str(file)).examples() == tuple(
        replace(each, size=None) for each in data.examples()
    )


def test_a_box_is_on_its_thing_to_the_pixel_also_where_the_file_says_the_photo_is_turned(tmp_path):
    data = imagenet(tmp_path)
    write(tmp_path / "boxes" / "ILSVRC2012_val_00000002.xml", xml(("n01440764", (0, 0, 19, 4))))
    for example in data.examples():
        photo = data.photo(example)
        assert photo.size == SIZE
        assert white_box(photo) == example.boxes[0]


def test_in_folders_the_folder_is_the_label_and_boxes_of_other_things_are_not_its(tmp_path):
    save(tmp_path / "val" / "n02123045" / "b.JPEG")
    save(tmp_path / "val" / "n01440764" / "a.JPEG")
    save(tmp_path / "val" / "n01440764" / "c.JPEG")
    write(
        tmp_path / "Annotations" / "n01440764" / "a.xml",
        xml(("n02123045", (0, 0, 3, 3)), ("n01440764", (1, 1, 3, 3))),
    )
    write(tmp_path / "Annotations" / "b.xml", xml(("n02123045", (0, 0, 3, 3))))
    assert opened(f"imagenet:{tmp_path}").examples() == (
        Example("n01440764/a.JPEG", 0, (Box(1, 1, 4, 4),), SIZE),
        Example("n01440764/c.JPEG", 0),
        Example("n02123045/b.JPEG", 281, (Box(0, 0, 4, 4),), SIZE),
    )


@pytest.mark.parametrize("said", [".", "ILSVRC", "ILSVRC/Data/CLS-LOC/val"])
@pytest.mark.parametrize("boxes", ["LOC_val_solution.csv", "ILSVRC/Annotations/CLS-LOC/val"])
def test_boxes_are_found_in_the_usual_places(tmp_path, monkeypatch, said, boxes):
    imagenet(tmp_path / "made")
    (tmp_path / "ILSVRC" / "Data" / "CLS-LOC").mkdir(parents=True)
    (tmp_path / "made" / "val").rename(tmp_path / "ILSVRC" / "Data" / "CLS-LOC" / "val")
    if boxes.endswith("csv"):
        write(tmp_path / boxes, LINES)
    else:
        (tmp_path / boxes).parent.mkdir(parents=True)
        (tmp_path / "made" / "boxes").rename(tmp_path / boxes)
    monkeypatch.chdir(tmp_path)
    assert [len(each.boxes) for each in ImageNet(said).examples()] == [1, 2]


@pytest.mark.parametrize(
    ("corners", "said"), [((15, 9, 2, 3), "is upside down"), ((25, 3, 30, 8), "lies outside the photo of 20×12")]
)
@pytest.mark.parametrize("kind", ["xml", "xml without size", "csv"])
def test_a_box_upside_down_or_outside_fails_its_photo_alone_whether_by_xml_or_by_csv(tmp_path, kind, corners, said):
    data = imagenet(tmp_path)
    if kind == "csv":
        lines = LINES.replace("n02123045 2 3 8 11", f"n02123045 {' '.join(map(str, corners))}")
        data = ImageNet(str(tmp_path), str(write(tmp_path / "solution.csv", lines)))
    else:
        text = xml(("n02123045", corners), size=None if "without" in kind else SIZE)
        write(tmp_path / "boxes" / "ILSVRC2012_val_00000001.xml", text)
    first, second = data.examples()
    with pytest.raises(ImageError, match=f"^ILSVRC2012_val_00000001.png: the box .* {said}") as caught:
        data.photo(first)
    assert "\n" not in str(caught.value)
    assert data.photo(second).size == SIZE


def test_a_photo_of_which_nothing_is_said_has_no_label(tmp_path):
    data = imagenet(tmp_path)
    save(tmp_path / "val" / "ILSVRC2012_val_00000003.png")
    assert data.examples()[2] == Example("ILSVRC2012_val_00000003.png")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda root: ImageNet(str(root / "none")), "none is not there: give the folder"),
        (lambda root: ImageNet(str(root / "boxes")), "holds neither photos ….JPEG nor folders of synsets"),
        (lambda root: ImageNet(str(root)), r"no boxes were found in or above .*: boxes=… says where .* say folder:"),
        (lambda root: ImageNet(str(root), str(root / "nowhere")), "nowhere is not there: boxes=… says"),
        (lambda root: ImageNet(str(root), str(root / "val")), "says nothing of the photos in"),
        (lambda root: ImageNet(str(root), str(write(root / "b.csv", "a,b\n1,2\n"))), "no CSV with columns ImageId"),
        (
            lambda root: ImageNet(str(root), str(write(root / "b.csv", LINES.replace(" 2 3 8 11", " 2 3 8")))),
            "00000001 in .*b.csv has 'n02123045 2 3 8",
        ),
        (
            lambda root: ImageNet(str(root), str(write(root / "b.csv", LINES.replace("2 3", "x 3")))),
            "four numbers are needed",
        ),
        (
            lambda root: ImageNet(str(root), str(write(root / "b.csv", LINES.replace("n02", "n99")))),
            "is of 'n99123045', which is none",
        ),
        (
            lambda root: (
                write(root / "boxes" / "ILSVRC2012_val_00000001.xml", "<")
                and ImageNet(str(root), str(root / "boxes"))
            ),
            "no readable XML",
        ),
    ],
)
def test_a_mistake_is_one_line(tmp_path, spoil, said):
    imagenet(tmp_path)
    with pytest.raises(DatasetError, match=said) as caught:
        spoil(tmp_path).examples()
    assert "\n" not in str(caught.value)


def test_a_thousand_photos_are_listed_in_a_fraction_of_a_second(tmp_path):
    """So fifty thousand in seconds; the photos here are no photos, and would not open."""
    (tmp_path / "val").mkdir()
    (tmp_path / "boxes").mkdir()
    for i in range(1000):
        (tmp_path / "val" / f"ILSVRC2012_val_{i:08d}.JPEG").touch()
        (tmp_path / "boxes" / f"ILSVRC2012_val_{i:08d}.xml").write_text(xml(("n02123045", (0, 0, 3, 3))))
    start = time.process_time()
    assert len(ImageNet(str(tmp_path), str(tmp_path / "boxes")).examples()) == 1000
    assert time.process_time() - start < 2
