from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.reporting.picking import kept
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.web.gallery import AT_ONCE, Wanted, card, chosen, gallery, photo_of
from tests.evaluation.small import Drawn, finished
from tests.evaluation.synthetic import synthetic_store
from tests.reporting.stores import with_photos

OURS = ("rsi_grad_cam", "features.20")


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """Forty synthetic photos without files, of which some failed or were left out."""
    return Study(synthetic_store(tmp_path_factory.mktemp("gallery") / "store"), resamples=20)


@pytest.fixture(scope="module")
def mosaics(tmp_path_factory):
    return Study(with_photos(tmp_path_factory.mktemp("gallery") / "mosaics", 4), resamples=20)


def rows(study, column, method):
    found = study.store.read(("photo", "method", "layer", column), kinds=("method",)).to_pylist()
    return {row["photo"]: row[column] for row in found if (row["method"], row["layer"]) == method}


def test_without_filters_it_is_the_data_sets_order(study):
    assert chosen(study, Wanted()) == kept(study)
    assert "photo-0003.jpg" not in kept(study)


@pytest.mark.parametrize("falling", [True, False])
def test_photos_are_sorted_by_a_methods_column(study, falling):
    names = chosen(study, Wanted(sort="energy", of=OURS, falling=falling))
    values = [rows(study, "energy", OURS)[name] for name in names]
    assert sorted(names) == sorted(kept(study))
    assert values == sorted(values, reverse=falling)
    assert values != [rows(study, "energy", ("grad_cam", "features.20"))[name] for name in names]


def test_photos_are_found_by_class_name_and_probability(study):
    facts = study.store.read(("photo", "category", "probability"), kinds=("photo",)).to_pylist()
    horses = {row["photo"] for row in facts if row["category"] == 2} & set(kept(study))
    assert set(chosen(study, Wanted(text="horse"))) == horses != set()
    assert chosen(study, Wanted(text="photo-0002")) == ["photo-0002.jpg"]
    sure = {row["photo"] for row in facts if (row["probability"] or 0) >= 0.9} & set(kept(study))
    assert set(chosen(study, Wanted(least=0.9))) == sure
    assert 0 < len(sure) < len(kept(study))


def test_dark_ones_alone(study):
    for key in (("grad_cam", "features.20"), OURS):
        dark = rows(study, "darkness_1e-08", key)  # at the run's own ε
        wanted = [name for name in kept(study) if dark[name]]
        assert chosen(study, Wanted(dark=True, of=key)) == wanted
    assert chosen(study, Wanted(dark=True, of=("grad_cam", "features.20")))


def test_a_page_at_a_time_and_never_beyond_the_last(study):
    names = kept(study)
    second = gallery(study, Wanted(page=1))
    assert (second["count"], second["begin"]) == (len(names), AT_ONCE)
    assert [each["name"] for each in second["cards"]] == names[AT_ONCE : 2 * AT_ONCE]
    last = gallery(study, Wanted(page=10**9))
    assert [each["name"] for each in last["cards"]][-1] == names[-1]
    assert gallery(study, Wanted(text="no such photo")) == {"count": 0, "begin": 0, "cards": []}


@pytest.mark.parametrize("column", ["no_such", "../energy", "photo", "overlap_iou", "error"])
def test_what_cannot_be_sorted_by_is_refused(study, column):
    with pytest.raises(ConfigurationError):
        chosen(study, Wanted(sort=column))


@pytest.mark.parametrize(
    "of", ["", "[]", "{", '["a"]', "null", 3, '["no", "such"]', '["box", "input"]', '[["a"], 2]']
)
def test_whose_map_is_a_methods_or_the_firsts(study, of):
    wanted = Wanted.of_page({"sort": "energy", "of": of})
    assert chosen(study, wanted) == chosen(study, Wanted(sort="energy", of=study.methods[0].key))


def test_what_a_page_asks_is_taken_with_care():
    assert Wanted.of_page({}) == Wanted()
    odd = {"text": 7, "least": float("nan"), "sort": ["a"], "page": -1, "dark": "yes", "falling": 0}
    assert Wanted.of_page(odd) == Wanted(text="7", sort="['a']")
    full = {"text": "Cat", "least": 0.5, "sort": "energy", "of": json.dumps(OURS), "falling": False, "dark": True}
    assert Wanted.of_page({**full, "page": 2}) == Wanted("cat", 0.5, "energy", OURS, False, True, 2)


def test_a_card_has_each_map_over_the_photo_with_its_value(mosaics):
    name = kept(mosaics)[0]
    said = card(mosaics, name, Wanted(sort="energy"))
    assert said["openable"]
    assert [each["title"] for each in said["maps"]] == [
        f"{series.title} at {mosaics.layer_title(series.layer)}" for series in mosaics.methods
    ]
    for each, series in zip(said["maps"], mosaics.methods, strict=True):
        assert each["value"] == pytest.approx(rows(mosaics, "energy", series.key)[name])
    pictures = [np.asarray(decoded(each["url"])).astype(int) for each in said["maps"]]
    small = np.asarray(photo_of(mosaics, name).resize(pictures[0].shape[1::-1])).astype(int)
    assert all(5 < np.abs(each - small).mean() < 120 for each in pictures)  # seen through, but seen
    assert np.abs(pictures[0] - pictures[1]).mean() > 2


def decoded(url):
    return Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGB")


def test_where_the_photos_are_gone_the_map_stands_alone(study):
    said = card(study, kept(study)[0], Wanted())
    assert not said["openable"]
    assert decoded(said["maps"][0]["url"]).size == (240, 240)
    assert photo_of(study, kept(study)[0]) is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "photo-9999.jpg", "/etc/passwd"])
def test_a_name_that_is_no_photo_of_the_store_opens_nothing(study, mosaics, name):
    for store in (study, mosaics):
        assert photo_of(store, name) is None


def test_dark_ones_are_those_that_were_scored_as_dark_and_not_those_of_a_metrics_epsilon(tmp_path):
    said = {"preset": "none", "epsilon": 1e3, "methods": ["grad_cam"]}
    study = Study(finished(tmp_path / "store", Drawn(4), **said), resamples=20)
    (last, *_) = study.layers
    found = chosen(study, Wanted(dark=True, of=("grad_cam", last)))
    marked = [one["name"] for one in gallery(study, Wanted())["cards"] if one["maps"][-1]["dark"]]
    assert found == [name for name in kept(study) if rows(study, "dark", ("grad_cam", last))[name]]
    assert set(found) == set(marked) == set(kept(study))
