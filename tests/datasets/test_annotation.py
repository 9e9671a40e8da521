from __future__ import annotations

import pytest

from rsi_gradcam.datasets.annotation import Thing, read_annotation
from rsi_gradcam.errors import DatasetError
from rsi_gradcam.images import Box
from tests.datasets.made import write, xml


def test_first_and_last_pixel_become_edges_whether_counted_from_0_or_1(tmp_path):
    file = write(tmp_path / "a.xml", xml(("cat", (1, 2, 5, 7)), ("dog", ("3.5", 4, 6, 12), "difficult")))
    size, things = read_annotation(file, first=1)
    assert size == (20, 12)
    assert things == (Thing("cat", Box(0, 1, 5, 7), False), Thing("dog", Box(2.5, 3, 6, 12), True))
    assert read_annotation(file, first=0).things[0].box == Box(1, 2, 6, 8)


def test_what_reaches_over_the_rim_is_cut_and_what_is_upside_down_or_outside_stays_to_be_refused(tmp_path):
    things = ("cat", (0, 0, 21, 13)), ("dog", (30, 1, 40, 5)), ("owl", (9, 9, 2, 3))
    assert read_annotation(write(tmp_path / "a.xml", xml(*things)), 1).things == (
        Thing("cat", Box(0, 0, 20, 12), False),
        Thing("dog", Box(29, 0, 40, 5), False),
        Thing("owl", Box(8, 8, 2, 3), False),
    )
    unknown = read_annotation(write(tmp_path / "b.xml", xml(*things, size=None)), 1)
    assert unknown.size is None
    assert [thing.box for thing in unknown.things] == [Box(-1, -1, 21, 13), Box(29, 0, 40, 5), Box(8, 8, 2, 3)]
    assert read_annotation(write(tmp_path / "c.xml", xml(*things, size=(0, 0))), 1).size is None


def test_the_boxes_of_parts_are_no_boxes_of_the_thing(tmp_path):
    part = "<part><name>head</name><bndbox><xmin>2</xmin><ymin>2</ymin><xmax>3</xmax><ymax>3</ymax></bndbox></part>"
    file = write(tmp_path / "a.xml", xml(("person", (1, 1, 5, 7))).replace("</object>", f"{part}</object>"))
    assert read_annotation(file, 1).things == (Thing("person", Box(0, 0, 5, 7), False),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no readable XML"),
        ("<annotation><object>", "is no readable XML"),
        ("<annotation><object><name>cat</name></object></annotation>", "an object without a name or a bndbox"),
        (xml(("", (1, 1, 2, 2))), "an object without a name"),
        (xml(("cat", (1, 1, "wide", 2))), "four numbers"),
        (xml(("cat", (1, 1, "", 2))), "four numbers"),
    ],
)
def test_a_broken_file_is_one_line(tmp_path, text, said):
    with pytest.raises(DatasetError, match=said) as caught:
        read_annotation(write(tmp_path / "a.xml", text), 1)
    assert "\n" not in str(caught.value)
    assert "a.xml" in str(caught.value)
