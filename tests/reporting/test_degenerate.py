"""Stores in which something is missing: every figure is drawn, or is left out with a sentence."""

from __future__ import annotations

import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures.sheet import svg
from rsi_gradcam.reporting.drawing import draw, plates
from rsi_gradcam.reporting.plates.base import Drawn, Skipped
from rsi_gradcam.reporting.report import page
from rsi_gradcam.reporting.study import Study
from tests.evaluation.synthetic import synthetic_store
from tests.reporting import stores
from tests.reporting.reading import words

MADE = {
    "one photo": lambda folder: synthetic_store(folder, photos=1),
    "no boxes": stores.without_boxes,
    "all dark": stores.all_dark,
    "one method": stores.one_method,
    "nothing kept": stores.nothing_kept,
}
BOXED = {"average-energy", "jac", "energy_ex", "jaccard_ex"}


@pytest.fixture(scope="module", params=MADE, ids=lambda name: name)
def poor(request, tmp_path_factory):
    return request.param, Study(MADE[request.param](tmp_path_factory.mktemp("poor") / "store"), resamples=100)


@pytest.fixture(scope="module")
def drawn(poor):
    return poor[0], list(draw(poor[1], plates()))


def test_what_cannot_be_drawn_is_told_in_a_sentence(drawn):
    name, found = drawn
    skipped = {each.name: each.why for each in found if isinstance(each, Skipped)}
    assert all(len(why.split()) > 3 for why in skipped.values())
    if name == "no boxes":
        assert skipped["average-energy"] == skipped["jac"] == "no photo of the run has a box"
    if name == "nothing kept":
        assert {each.name for each in found if isinstance(each, Drawn)} == {"one_relu_net"}


def test_the_rest_is_drawn_whole(drawn):
    for each in drawn[1]:
        if isinstance(each, Drawn):
            assert "nan" not in words(each.figure)
            assert inside(each.figure), each.name


def inside(figure) -> bool:
    """Whether every word is on the sheet, to a pixel."""
    figure.set_dpi(50)  # layout is the same, drawing is quick
    figure.canvas.draw()
    width, height = figure.canvas.get_width_height()
    boxes = [text.get_window_extent() for text in figure.texts if text.get_text()]
    boxes += [legend.get_window_extent() for legend in figure.legends]
    boxes += [axes.get_tightbbox() for axes in figure.axes if axes.axison]
    return all(box.x0 > -1 and box.y0 > -1 and box.x1 < width + 1 and box.y1 < height + 1 for box in boxes)


def test_a_report_is_written_all_the_same(poor, monkeypatch):
    monkeypatch.setattr(page, "figures", lambda *_: ())  # they are drawn above
    name, study = poor
    text = page.report(study)
    assert text.startswith("<!doctype html>")
    assert ">nan<" not in text
    assert text.count('<li class="card"') == study.store.funnel()["kept"]
    if name == "nothing kept":
        assert "holds no measured photo" in text
        assert "2 of 2 photos failed" in text


def test_all_dark_maps_are_counted_as_dark(tmp_path):
    study = Study(stores.all_dark(tmp_path), resamples=100)
    (figure,) = [each.figure for each in draw(study, plates(["dark-heatmaps-barplots"]))]
    kept = study.store.funnel()["kept"]
    assert {bar.get_height() for container in figure.axes[0].containers for bar in container} == {kept}


def test_the_same_figure_is_the_same_file(study):
    (one,), (two,) = (list(draw(study, plates(["heatmap_int_raw"]))) for _ in range(2))
    assert svg(one.figure) == svg(two.figure)


def test_words_stay_on_the_sheet_with_many_photos(study):
    for each in draw(study, plates()):
        assert isinstance(each, Skipped) or inside(each.figure), each.name


def test_every_figure_of_the_paper_is_there_by_its_label():
    labels = {plate.label for plate in plates()}
    assert labels == {
        *("one_relu_net", "expl_map", "jaccard_ex", "shuttle", "soccer_ball", "german_shepherd_and_cat", "picks"),
        *("heatmap_int_raw", "heatmap_int_normal", "dark-heatmaps-barplots", "increment-in-confidence"),
        *("energy_ex", "average-energy", "jac"),
    }


def test_a_figure_is_asked_for_by_its_name_or_the_papers_label():
    assert plates(["average-energy", "average_energy"]) == plates(["average_energy"])


def test_an_unknown_figure_is_refused_with_the_nearest():
    with pytest.raises(ConfigurationError, match="average_energy"):
        plates(["average_enrgy"])
