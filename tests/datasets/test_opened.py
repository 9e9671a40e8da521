"""Data sets as a person says them."""

from __future__ import annotations

import pytest

from rsi_gradcam.datasets import by_name, catalogue, opened
from rsi_gradcam.datasets.folder import Folder
from rsi_gradcam.datasets.guess import guessed
from rsi_gradcam.datasets.manifest import Manifest
from rsi_gradcam.datasets.mosaic import Mosaic
from rsi_gradcam.datasets.voc import VOC
from rsi_gradcam.errors import ConfigurationError, DatasetError, RSIGradCAMError
from tests.datasets.photos import save


def test_a_kind_and_a_path(tmp_path):
    assert opened(f"folder:{tmp_path}") == Folder(str(tmp_path))
    assert opened("manifest:a:b.csv", inclusive=True) == Manifest("a:b.csv", inclusive=True)


def test_a_mosaic_of_itself_or_of_another_data_set(tmp_path):
    assert opened("mosaic") == opened("mosaic:") == Mosaic()
    assert opened("mosaic", grid=3, seed=2) == Mosaic(grid=3, seed=2)
    save(tmp_path / "cat" / "a.jpg")
    assert opened(f"mosaic:folder:{tmp_path}", count=5) == Mosaic(Folder(str(tmp_path)), count=5)
    assert opened(f"mosaic:{tmp_path}") == Mosaic(Folder(str(tmp_path)))


@pytest.mark.parametrize(
    ("files", "said", "kind"),
    [
        (["photos.csv"], "photos.csv", "manifest"),
        (["photos.PARQUET"], "photos.PARQUET", "manifest"),
        (["cat/a.jpg"], "", "folder"),
        (["JPEGImages/a.jpg", "Annotations/a.xml"], "", "voc"),
        (["annotations/instances_val2017.json", "val2017/a.jpg"], "", "coco"),
        (["annotations/instances_val2017.json"], "annotations/instances_val2017.json", "coco"),
        (["n01440764/a.JPEG"], "", "imagenet"),
        (["ILSVRC2012_val_00000001.JPEG"], "", "imagenet"),
        (["LOC_val_solution.csv", "val/a.JPEG"], "", "imagenet"),
    ],
)
def test_of_a_path_alone_the_kind_is_guessed(tmp_path, files, said, kind):
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    assert guessed(tmp_path / said) == kind


def test_a_path_may_be_one_or_begin_at_home(tmp_path, monkeypatch):
    save(tmp_path / "photos" / "cat" / "a.jpg")
    monkeypatch.setenv("HOME", str(tmp_path))
    home = Folder(str(tmp_path / "photos"))
    assert opened("~/photos") == opened("folder:~/photos") == opened(tmp_path / "photos") == home
    assert Folder(tmp_path / "photos") == home
    assert repr(Folder(tmp_path / "photos")) == repr(home)


def test_fields_read_from_a_line_are_fitted(tmp_path):
    assert opened("voc:there", split=2007, single=True) == VOC("there", "2007", single=True)
    assert by_name("mosaic", source="folder:there", grid=3) == Mosaic(Folder("there"), 3)
    with pytest.raises(ConfigurationError, match="single is true or false, got 'maybe'"):
        opened("voc:there", single="maybe")
    with pytest.raises(ConfigurationError, match="grid must be a whole number, 2 or more, got 'two'"):
        opened("mosaic", grid="two")


def test_a_folder_called_as_a_kind_is_a_path(tmp_path, monkeypatch):
    save(tmp_path / "mosaic" / "cat" / "a.jpg")
    monkeypatch.chdir(tmp_path)
    assert opened("mosaic") == Folder("mosaic")
    assert opened("mosaic:") == Mosaic()


@pytest.mark.parametrize(
    ("said", "kind", "line"),
    [
        ("mosaik", DatasetError, "mosaik is not there: check the path, or say mosaic"),
        ("vok:folder", ConfigurationError, "'vok' is no kind of data set: did you mean voc"),
        ("voc", ConfigurationError, "voc needs its folder: say it as voc:PATH"),
        ("manifest:", ConfigurationError, "manifest needs its file: say it as manifest:PATH"),
        ("loose.txt", DatasetError, "is no data set: give a folder, a .csv"),
        ("tabled", DatasetError, "tabled holds a table: give tabled/photos.csv itself"),
        ("bare", DatasetError, "bare is no data set that can be guessed"),
    ],
)
def test_what_cannot_be_opened_is_one_line(tmp_path, monkeypatch, said, kind, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loose.txt").touch()
    (tmp_path / "bare").mkdir()
    (tmp_path / "tabled").mkdir()
    (tmp_path / "tabled" / "photos.csv").touch()
    with pytest.raises(kind, match=line) as caught:
        opened(said)
    assert isinstance(caught.value, RSIGradCAMError)
    assert "\n" not in str(caught.value)


def test_by_name_with_fields_and_the_nearest_of_a_wrong_one():
    assert by_name("mosaic", grid=3) == Mosaic(grid=3)
    with pytest.raises(ConfigurationError, match="mosaic has no field 'gird': did you mean grid"):
        by_name("mosaic", gird=3)
    with pytest.raises(ConfigurationError, match="'mosiac' is no data set: did you mean mosaic"):
        by_name("mosiac")


def test_the_catalogue_has_the_readers():
    assert set(catalogue()) >= {"coco", "folder", "imagenet", "manifest", "mosaic", "voc"}
