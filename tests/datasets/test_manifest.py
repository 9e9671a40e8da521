from __future__ import annotations

import pytest
from PIL import Image

from rsi_gradcam.datasets import Example
from rsi_gradcam.datasets.manifest import Manifest
from rsi_gradcam.errors import DatasetError, ImageError, MissingExtra
from rsi_gradcam.images import Box
from tests.datasets.photos import save, white_box

HEADER = "path,label,xmin,ymin,xmax,ymax\n"


@pytest.fixture
def table(tmp_path):
    """Writes a table beside two photos, and gives its path."""
    save(tmp_path / "a.png")
    save(tmp_path / "sub" / "b.png")

    def write(text, encoding="utf-8"):
        file = tmp_path / "photos.csv"
        file.write_text(text, encoding)
        return str(file)

    return write


def refusal(kind, dataset):
    with pytest.raises(kind) as caught:
        dataset.examples()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_rows_of_a_photo_are_its_boxes_and_the_order_is_that_of_first_appearance(table):
    data = Manifest(table(HEADER + "sub/b.png,cat,0,0,2,3\na.png,7,1,2,3,4\nsub/b.png,cat,4,5,6,7.5\n"))
    assert data.examples() == (
        Example("sub/b.png", "cat", (Box(0, 0, 2, 3), Box(4, 5, 6, 7.5))),
        Example("a.png", 7, (Box(1, 2, 3, 4),)),
    )
    assert data.photo(data.examples()[0]).size == (20, 12)


def test_a_photo_with_several_labels_is_an_example_for_each(table):
    data = Manifest(table(HEADER + "a.png,cat,0,0,2,3\na.png,dog,1,2,3,4\n"))
    assert [(each.name, each.label, len(each.boxes)) for each in data.examples()] == [
        ("a.png#cat", "cat", 1),
        ("a.png#dog", "dog", 1),
    ]
    assert data.photo(data.examples()[1]).size == (20, 12)


def test_a_photo_whose_name_ends_as_an_example_of_several_labels_would_is_found(table, tmp_path):
    save(tmp_path / "a.png#cat.png").rename(tmp_path / "a#cat")
    data = Manifest(table(HEADER + "a#cat,cat,0,0,2,3\n"))
    assert data.photo(data.examples()[0]).size == (20, 12)


@pytest.mark.parametrize(
    ("columns", "row", "label"),
    [
        ("filename,class_index,class_name,xmin,ymin,xmax,ymax", "a.png,281,tabby,0,0,2,2", 281),
        ("filename,class_name,xmin,ymin,xmax,ymax", "a.png,tiger cat,0,0,2,2", "tiger cat"),
        ("xmin,ymin,xmax,ymax,other,label,path", "0,0,2,2,x,007,a.png", 7),
        ("path,label,xmin,ymin,xmax,ymax", "a.png,,0,0,2,2", None),
    ],
)
def test_columns_by_their_other_names_in_any_order(table, columns, row, label):
    (example,) = Manifest(table(f"{columns}\n{row}\n")).examples()
    assert example == Example("a.png", label, (Box(0, 0, 2, 2),))


@pytest.mark.parametrize("text", ["path,label\na.png,cat\n", HEADER + "a.png,cat,,,,\n"])
def test_without_edges_it_is_a_photo_without_boxes(table, text):
    assert Manifest(table(text)).examples() == (Example("a.png", "cat"),)


def test_inclusive_edges_are_one_pixel_further(table):
    file = table(HEADER + "a.png,cat,0,0,19,11\n")
    assert Manifest(file).examples()[0].boxes == (Box(0, 0, 19, 11),)
    assert Manifest(file, inclusive=True).examples()[0].boxes == (Box(0, 0, 20, 12),)


def test_a_first_photo_that_is_missing_is_missing_alone(table):
    data = Manifest(table(HEADER + "gone.png,cat,0,0,2,2\na.png,cat,0,0,2,2\n"))
    gone, there = data.examples()
    assert data.photo(there)
    with pytest.raises(ImageError, match=r"gone\.png"):
        data.photo(gone)


def test_where_none_of_the_first_twenty_is_there_the_folder_is_wrong(table):
    gone = [f"{number}.png,cat,0,0,2,2\n" for number in range(20)]
    assert len(Manifest(table(HEADER + "".join([*gone[:19], "a.png,cat,0,0,2,2\n"]))).examples()) == 20
    last = Manifest(table(HEADER + "".join([*gone, "a.png,cat,0,0,2,2\n"])))
    assert "none of the first 20 photos" in refusal(DatasetError, last)


def test_lines_may_be_blank_or_longer_than_needed(table):
    file = table(HEADER + "\na.png,cat,0,0,2,2,and more\n\n")
    assert Manifest(file).examples() == (Example("a.png", "cat", (Box(0, 0, 2, 2),)),)


def test_a_byte_order_mark_and_quotes_are_no_matter(table):
    file = table('path,label,xmin,ymin,xmax,ymax\r\n"a.png","cat, tabby",0,0,2,2\r\n', "utf-8-sig")
    assert Manifest(file).examples()[0].label == "cat, tabby"


def test_photos_are_beside_the_table_or_in_images_or_below_a_given_root(table, tmp_path):
    file = table(HEADER + "c.png,cat,0,0,2,3\n")
    assert "say in which folder" in refusal(DatasetError, Manifest(file))
    assert "none of the first 1 photos" in refusal(DatasetError, Manifest(file))
    save(tmp_path / "images" / "c.png", (8, 8))
    assert Manifest(file).photo(Manifest(file).examples()[0]).size == (8, 8)
    save(tmp_path / "c.png", (9, 9))
    assert Manifest(file).photo(Manifest(file).examples()[0]).size == (9, 9)
    save(tmp_path / "there" / "c.png", (10, 10))
    data = Manifest(file, root=str(tmp_path / "there"))
    assert data.photo(data.examples()[0]).size == (10, 10)


def test_parquet_gives_what_the_csv_gives(table, tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = HEADER + "sub/b.png,7,0,0,2,3\na.png,,1,2,3,4\nsub/b.png,7,4,5,6,7.5\n"
    columns = {
        "path": ["sub/b.png", "a.png", "sub/b.png"],
        "label": [7.0, None, 7.0],  # as pandas has indices of which some are missing
        "xmin": [0, 1, 4],
        "ymin": [0, 2, 5],
        "xmax": [2, 3, 6],
        "ymax": [3.0, 4.0, 7.5],
        "thumbnail": [b"\xff", b"", None],
    }
    parquet.write_table(arrow.table(columns), tmp_path / "photos.parquet")
    assert Manifest(str(tmp_path / "photos.parquet")).examples() == Manifest(table(rows)).examples()


def test_a_parquet_without_the_columns_says_which_it_has(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"image": ["a.png"], "target": [3]}), tmp_path / "photos.parquet")
    said = refusal(DatasetError, Manifest(str(tmp_path / "photos.parquet")))
    assert "no column path or filename, label or class_index or class_name: it has image, target" in said


def test_parquet_without_its_extra_says_how_to_get_it(monkeypatch, tmp_path):
    (tmp_path / "photos.parquet").write_bytes(b"PAR1")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"rsi-gradcam\[evaluation\]"):
        Manifest(str(tmp_path / "photos.parquet")).examples()


def test_a_broken_parquet_is_refused_in_one_line(tmp_path):
    pytest.importorskip("pyarrow")
    (tmp_path / "photos.parquet").write_bytes(b"no table at all")
    assert "no readable Parquet" in refusal(DatasetError, Manifest(str(tmp_path / "photos.parquet")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: its first line names the columns, path, label, xmin"),
        (HEADER, "is empty: there is no photo"),
        ("path,xmin\n", "no column label or class_index or class_name, ymin, xmax, ymax: it has path, xmin"),
        ("path,xmin,ymin,xmax,ymax\na.png,0,0,1,1\n", "no column label or class_index or class_name: it has path,"),
        ("photo,label,xmin,ymin,xmax,ymax\na.png,1,0,0,1,1\n", "no column path or filename"),
        ("path,label,xmin,ymin,xmax\na.png,1,0,0,1\n", "no column ymax"),
        ("path;label;xmin;ymin;xmax;ymax\na.png;1;0;0;1;1\n", "no column path or filename"),
        (HEADER + "a.png,cat,0,0,2,2\na.png,cat,5,0,2,2\n", "line 3, has a box upside down.*got 5, 0, 2, 2"),
        (HEADER + "a.png,cat,0,0,2,0\n", "line 2, has a box upside down"),
        (HEADER + "a.png,cat,-1,0,2,2\n", "line 2, has a box outside its photo"),
        (HEADER + "a.png,cat,0,zero,2,2\n", "line 2, has 'zero' for ymin: a number of pixels is needed"),
        (HEADER + "a.png,cat,0,nan,2,2\n", "line 2, has 'nan' for ymin"),
        (HEADER + "a.png,cat,0,0,2\n", "line 2, has '' for ymax"),
        (HEADER + ",cat,0,0,2,2\n", "line 2, names no photo"),
        (
            "path,label,width,height,xmin,ymin,xmax,ymax\na.png,1,20,12,0,0,21,2\n",
            r"outside its photo \(0, 0, 20, 12\)",
        ),
        (HEADER + 'a.png,"cat,0,0,2,2\n', "no readable CSV"),
    ],
)
def test_a_mistake_in_the_table_is_one_line(table, text, said):
    __import__("re").search(said, message := refusal(DatasetError, Manifest(table(text)))) or pytest.fail(message)


def test_a_table_in_another_encoding_or_place_is_one_line(table, tmp_path):
    file = table(HEADER + "ä.png,cat,0,0,1,1\n", "latin-1")
    assert "save it as comma-separated UTF-8" in refusal(DatasetError, Manifest(file))
    assert "is not there" in refusal(DatasetError, Manifest(str(tmp_path / "none.csv")))


def test_a_box_outside_the_photo_is_an_error_of_that_photo_but_for_a_pixel_of_rounding(table):
    data = Manifest(table(HEADER + "a.png,cat,0,0,21,12\nsub/b.png,cat,0,0,20,14\n"))
    assert data.photo(data.examples()[0]).size == (20, 12)
    with pytest.raises(ImageError, match=r"sub/b.png: the box \(0, 0, 20, 14\) lies outside the photo of 20×12"):
        data.photo(data.examples()[1])


def test_a_photo_of_another_size_than_the_table_says_is_refused(table):
    data = Manifest(table("path,label,width,height,xmin,ymin,xmax,ymax\na.png,1,40,24,0,0,2,2\n"))
    with pytest.raises(ImageError, match=r"a.png is 20×12, its boxes were drawn on 40×24: give the photo"):
        data.photo(data.examples()[0])


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_boxes_lie_on_the_same_thing_whether_drawn_on_the_photo_turned_or_as_stored(table, tmp_path, orientation):
    drawn = (2, 1, 9, 4)
    save(tmp_path / "t.png", white=drawn, orientation=orientation)
    box = ",".join(map(str, drawn))
    stored = Manifest(table(f"{HEADER}t.png,cat,{box}\n"), stored=True)
    assert white_box(stored.photo(stored.examples()[0])) == stored.examples()[0].boxes[0] == drawn
    turned = {3: (11, 8, 18, 11), 6: (8, 2, 11, 9), 8: (1, 11, 4, 18)}[orientation]
    box = ",".join(map(str, turned))
    upright = Manifest(table(f"{HEADER}t.png,cat,{box}\n"))
    assert white_box(upright.photo(upright.examples()[0])) == upright.examples()[0].boxes[0] == turned


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize(("size", "box"), [("20,12", (2, 1, 9, 4)), ("12,20", (8, 2, 11, 9))])
def test_the_size_tells_how_the_photo_was_when_it_was_drawn_on(table, tmp_path, stored, size, box):
    save(tmp_path / "t.png", white=(2, 1, 9, 4), orientation=6)
    row = f"t.png,cat,{size},{','.join(map(str, box))}"
    data = Manifest(table(f"path,label,width,height,xmin,ymin,xmax,ymax\n{row}\n"), stored=stored)
    assert white_box(data.photo(data.examples()[0])) == box


def test_a_photo_that_is_not_there_or_broken_is_an_error_of_that_photo(table, tmp_path):
    data = Manifest(table(HEADER + "a.png,cat,0,0,2,2\nnone.png,cat,0,0,2,2\nbad.png,cat,0,0,2,2\n"))
    (tmp_path / "bad.png").write_bytes(b"x")
    for example in data.examples()[1:]:
        with pytest.raises(ImageError, match=example.name):
            data.photo(example)


def test_many_rows_are_read_without_touching_the_photos(table, monkeypatch):
    rows = "".join(f"photos/{i:06d}.png,{i % 1000},0,0,10,{1 + i % 9}\n" for i in range(20_000))
    data = Manifest(table(HEADER + "a.png,0,0,0,1,1\n" + rows))
    monkeypatch.setattr(Image, "open", lambda *args, **options: pytest.fail("a photo was opened"))
    assert len(data.examples()) == 20_001
    assert data.examples()[-1] == Example("photos/019999.png", 999, (Box(0, 0, 10, 1 + 19_999 % 9),))
