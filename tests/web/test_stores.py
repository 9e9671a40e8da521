from __future__ import annotations

import pytest

from rsi_gradcam.errors import ConfigurationError, RSIGradCAMError
from rsi_gradcam.web.explorer import Explorer
from rsi_gradcam.web.networks import Networks
from rsi_gradcam.web.stores import Stores
from tests.evaluation.synthetic import METRICS, synthetic_store
from tests.reporting.stores import with_photos


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    synthetic_store(folder / "first")
    with_photos(folder / "second")
    return folder / "first", folder / "second"


@pytest.fixture(scope="module")
def page(folders):
    return Explorer(Networks("none"), stores=Stores(folders))


def test_they_are_known_by_the_folders_names_and_opened_once(folders):
    stores = Stores(folders)
    stores.check()
    assert stores.names() == ["first", "second"]
    assert stores.study(1) is stores.study(1)
    assert stores.study(0).configuration["dataset"]["name"] == "synthetic"


@pytest.mark.parametrize("place", [-1, 2, "0", None, "/etc", 0.0, True, [0]])
def test_no_place_but_those_of_the_list(folders, place):
    with pytest.raises(ConfigurationError, match="no such evaluation"):
        Stores(folders).study(place)


@pytest.mark.parametrize("make", ["nothing", "file", "empty"])
def test_a_folder_without_an_evaluation_is_said_before_the_page_opens(tmp_path, make):
    folder = tmp_path / "store"
    if make == "file":
        folder.write_text("{}")
    if make == "empty":
        folder.mkdir()
    with pytest.raises((RSIGradCAMError, OSError)) as raised:
        Stores([folder]).check()
    assert "\n" not in str(raised.value)


def test_without_a_token_nothing_is_told_of_a_store(page):
    token = page.sessions.of("one").token
    for other in (None, "", token + "x"):
        assert set(page.study({"token": other, "store": 0})) == {"fault"}
        assert set(page.gallery({"token": other, "store": 0})) == {"fault"}
    assert "fault" in page.study({"token": token, "store": 7})


def test_the_table_and_the_curves_are_the_summarys(page):
    said = page.study({"token": page.sessions.of("one").token, "store": 0})
    study = page.stores.study(0)
    assert said["ground"] == study.ground
    assert said["funnel"] == study.store.funnel()
    names = {column["name"] for metric in METRICS for column in metric["columns"]}
    assert {column["name"] for column in said["columns"]} <= names
    means = {(row.method, row.layer, row.column): row for row in study.summary.rows}
    shown = {(each.title, study.layer_title(each.layer)): each for each in study.series}
    assert len(said["rows"]) == len(study.series)
    for row in said["rows"]:
        series = shown[row["title"], row["layer"]]
        assert row["control"] == series.control
        for column, value in row["values"].items():
            found = means[(*series.key, column)]
            assert value["mean"] == pytest.approx(found.mean, nan_ok=True)
            assert (value["low"], value["n"]) == (pytest.approx(found.interval.low, nan_ok=True), found.n)
    assert [curve["column"] for curve in said["curves"]] == ["overlap_iou", "overlap_iob", "overlap_ior"]
    line = said["curves"][0]["lines"][0]
    wanted = study.by_threshold("overlap_iou")
    assert line["means"] in [pytest.approx(list(curve.means)) for curve in wanted.values()]


def test_a_photo_becomes_a_file_of_the_pages_own(page, tmp_path):
    from PIL import Image

    study = page.stores.study(1)
    name = page.gallery({"token": page.sessions.of("one").token, "store": 1})["cards"][0]["name"]
    path = page.photo_of(1, name, tmp_path)
    assert path.is_relative_to(tmp_path)
    assert path.suffix == ".png"
    with Image.open(path) as found:
        from rsi_gradcam.web.gallery import photo_of

        assert found.tobytes() == photo_of(study, name).tobytes()
    assert page.photo_of(1, "../" + name, tmp_path) is None
    assert page.photo_of(9, name, tmp_path) is None
    assert page.photo_of(0, "photo-0000.jpg", tmp_path) is None  # its photos are gone
