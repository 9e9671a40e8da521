"""What figures show is what was scored."""

from __future__ import annotations

import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.reporting import picking
from rsi_gradcam.reporting.shown import evidence_by_name, evidence_of
from rsi_gradcam.reporting.specimen import Specimens
from rsi_gradcam.reporting.study import Study
from tests.evaluation.older import older
from tests.evaluation.small import Drawn, finished
from tests.reporting import stores

EPSILON = 1e-8  # the metric's own: with it the run's heatmap has the mean that the metric has
SIGNED = [f"rsi_hires_cam(evidence='{each}')" for each in ("positive", "signed", "absolute")]


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    said = {"methods": [*SIGNED, "grad_cam"], "preset": "none", "epsilon": EPSILON, "metric_names": ["intensity"]}
    return Study(finished(tmp_path_factory.mktemp("signed") / "store", Drawn(3), **said), resamples=100)


def test_the_mean_of_a_specimens_map_is_the_mean_that_was_scored(signed):
    rows = signed.store.read(("photo", "method", "layer", "intensity_normalised")).to_pylist()
    specimens = {name: Specimens(signed, None).specimen(name) for name in picking.kept(signed)}
    compared = 0
    for row in rows:
        if (row["method"], row["layer"]) in specimens[row["photo"]].maps and row["intensity_normalised"]:
            heatmap = specimens[row["photo"]].maps[row["method"], row["layer"]]
            assert float(heatmap.double().mean()) == pytest.approx(row["intensity_normalised"], abs=2e-3), row
            compared += 1
    assert compared > 20


def test_evidence_is_read_from_the_manifest(signed):
    found = evidence_by_name(signed.configuration)
    names = [each["name"] for each in signed.configuration["methods"]]
    assert [found[name] for name in names] == ["positive", "signed", "absolute", "positive"]


def test_a_method_that_does_not_say_its_evidence_has_its_own():
    assert evidence_of({"name": "guided_grad_cam", "configuration": "GuidedGradCAM()"}) == "absolute"
    assert evidence_of({"name": "somebodys_own", "configuration": "Own(1)"}) == "positive"
    with pytest.raises(ConfigurationError):
        evidence_of({"name": "rsi_hires_cam", "configuration": "RSIHiResCAM(evidence='none such')"})


def test_photos_with_a_number_sign_in_their_names_are_no_classes_of_one_picture(tmp_path):
    def renamed(row):
        name = f"photo#{row['index']}.png"
        return row | {"photo": name, "picture": name}

    assert picking.two_classes(Study(stores.changed(tmp_path, renamed))) == []


def test_two_classes_of_a_picture_are_found_in_a_store_that_has_no_pictures(tmp_path):
    study = Study(older(stores.with_photos(tmp_path)), resamples=100)
    one, other = picking.two_classes(study)
    assert {Specimens.of(study).specimen(name).picture for name in (one, other)} == {one.partition("#")[0]}


def test_a_metrics_epsilon_is_its_own(signed):
    assert signed.epsilon_of("intensity") == 1e-8
