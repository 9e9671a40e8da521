from __future__ import annotations

import pytest

from rsi_gradcam.datasets import Example
from rsi_gradcam.evaluation.picture import picture_of, picture_shown
from tests.evaluation.small import Drawn, finished, rows_of


@pytest.mark.parametrize(
    ("example", "picture"),
    [
        (Example("photo#1.png"), "photo#1.png"),
        (Example("photo#1.png", "cat"), "photo#1.png"),
        (Example("mosaic-000003#tiger cat", "tiger cat"), "mosaic-000003"),
        (Example("rome#2.png#281", 281), "rome#2.png"),
        (Example("photo#None"), "photo#None"),
    ],
)
def test_only_the_label_that_a_name_ends_with_is_no_part_of_the_picture(example, picture):
    assert picture_shown(example) == picture


def test_the_column_is_believed_and_without_it_the_name(tmp_path):
    assert picture_of({"photo": "photo#1.png", "picture": "photo#1.png"}) == "photo#1.png"
    assert picture_of({"photo": "mosaic-1#cat", "picture": None}) == "mosaic-1"
    assert picture_of({"photo": "plain.png"}) == "plain.png"


def test_every_row_of_a_run_has_its_picture(tmp_path):
    rows = rows_of(finished(tmp_path / "store", Drawn(2)))
    assert [row["picture"] for row in rows] == [row["photo"] for row in rows]
