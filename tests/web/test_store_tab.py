"""A person at the second tab: an evaluation's table, its curves, its photos, and one of them in the explorer."""

from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.reporting.picking import kept
from rsi_gradcam.reporting.study import Study
from rsi_gradcam.web.gallery import Wanted, chosen, photo_of
from rsi_gradcam.web.stores import RESAMPLES, Stores
from tests.web.watcher import ALL, wait, watched


@pytest.fixture(scope="module")
def study(served) -> Study:
    return Stores([served.store]).study(0)


@pytest.fixture(scope="module")
def tab(chromium, address):
    with watched(chromium, address) as page:
        page.get_by_role("tab", name="Look at an evaluation").click()
        page.get_by_role("button", name="Open", exact=True).click()
        page.locator(".rsi-cards li").first.wait_for()
        yield page


def names(tab):
    return tab.locator(".rsi-cards .rsi-hint").all_inner_texts()


def settled(tab, wanted):
    """The gallery, once it has come."""
    shown = "Array.from(document.querySelectorAll('.rsi-cards .rsi-hint'), (e) => e.textContent)"
    tab.wait_for_function(f"(wanted) => String({shown}) === wanted", arg=",".join(wanted))


def test_the_table_says_the_summarys_means(tab, study):
    assert study.resamples == RESAMPLES
    assert tab.locator(".rsi-ground").inner_text() == study.ground
    head = [text.split(" ", 1) for text in tab.locator(".rsi-table thead th").all_inner_texts()]
    assert ["energy", "↑"] in head
    column = head.index(["energy", "↑"])
    means = {(row.method, row.layer): row.mean for row in study.summary.rows if row.column == "energy"}
    lines = tab.locator(".rsi-table tbody tr").all()
    assert len(lines) == len(study.series)
    for line, series in zip(lines, study.series, strict=True):
        cells = line.locator("th, td").all_inner_texts()
        assert cells[:2] == [series.title, study.layer_title(series.layer)]
        assert float(cells[column].split()[0]) == pytest.approx(means[series.key], abs=6e-4)


def test_the_best_method_of_each_layer_is_bold(tab, study):
    own = [row for row in study.summary.rows if row.column == "energy"]
    best = {
        max((row.mean, row.method) for row in own if row.layer == layer and not control(study, row))[1]
        for layer in study.layers
    }
    bold = tab.locator(".rsi-table tbody tr", has=tab.locator("td:nth-child(3) strong"))
    titles = {series.title for series in study.methods if series.method in best}
    assert {each.locator("th").inner_text() for each in bold.all()} == titles
    assert bold.count() == len(study.layers)


def control(study, row):
    return next(each for each in study.series if each.key == (row.method, row.layer)).control


def test_a_curve_is_drawn_for_each_method(tab, study):
    tab.get_by_label("Curve", exact=True).select_option("overlap_ior")
    lines = tab.locator(".rsi-curves polyline")
    assert lines.count() == 3
    layer = tab.get_by_label("At layer").input_value()
    curves = study.by_threshold("overlap_ior")
    means = next(
        curve.means for key, curve in curves.items() if key[0] == "grad_cam" and study.layer_title(key[1]) == layer
    )
    ys = [float(point.split(",")[1]) for point in lines.first.get_attribute("points").split()]
    drawn = np.array(ys)
    assert len(drawn) == len(means)
    slope, _ = np.polyfit(means, drawn, 1)
    assert slope < 0  # upwards on a screen
    assert np.corrcoef(means, drawn)[0, 1] == pytest.approx(-1, abs=1e-4)
    tab.get_by_label("Curve", exact=True).select_option("overlap_iou")


def test_photos_are_filtered_sorted_and_turned_over(tab, study):
    assert names(tab) == kept(study)[:12]
    tab.get_by_role("button", name="Next").click()
    settled(tab, kept(study)[12:24])
    assert "13 to 16 of 16" in tab.locator(".rsi-stores [role=status]").inner_text()
    tab.get_by_role("button", name="Before").click()
    settled(tab, kept(study)[:12])

    tab.get_by_label("Sort by").select_option("energy")
    tab.get_by_label("Of", exact=True).select_option(label="RSI-Grad-CAM at block5 (features.20)")
    own = ("rsi_grad_cam", "features.20")
    settled(tab, chosen(study, Wanted(sort="energy", of=own))[:12])
    tab.get_by_label("Order").select_option(label="low ones first")
    settled(tab, chosen(study, Wanted(sort="energy", of=own, falling=False))[:12])

    tab.get_by_label("Name or class").fill("horse")
    tab.get_by_label("Name or class").press("Enter")
    horses = chosen(study, Wanted("horse", sort="energy", of=own, falling=False))
    settled(tab, horses)
    assert all("horse" in text for text in tab.locator(".rsi-cards h4").all_inner_texts())
    tab.get_by_label("Name or class").fill("no such thing")
    tab.get_by_label("Name or class").press("Enter")
    tab.get_by_text("No photo passes these filters.").wait_for()
    tab.get_by_label("Name or class").fill("")
    tab.get_by_label("Name or class").press("Enter")

    tab.get_by_label("dark maps only").check()
    dark = chosen(study, Wanted(sort="energy", of=own, falling=False, dark=True))
    assert len(dark) < 12
    settled(tab, dark)
    tab.get_by_label("dark maps only").uncheck()
    settled(tab, chosen(study, Wanted(sort="energy", of=own, falling=False))[:12])


def test_everything_has_a_name_and_the_pictures_are_shown(tab):
    broken = "[...document.querySelectorAll('.rsi-cards img')].filter((e) => e.complete && !(e.width && e.alt))"
    assert tab.evaluate(f"{broken}.length") == 0
    nameless = tab.evaluate(
        "[...document.querySelectorAll('.rsi-stores :is(button, input, select)')].filter((e) => e.offsetParent)"
        ".filter((e) => !e.getAttribute('aria-label') && !e.textContent.trim() && !e.labels?.length).length"
    )
    assert nameless == 0


def test_a_photo_is_opened_in_the_explorer(tab, study):
    name = names(tab)[1]
    tab.get_by_role("button", name=f"Open {name} in the explorer").click()
    wait(tab, "rsi.viewer.state.photo !== null")
    wait(tab, ALL)
    assert tab.locator(".rsi-stage").is_visible()
    assert tab.locator(".rsi-stores").is_hidden()
    wanted = photo_of(study, name)
    assert tab.evaluate("rsi.viewer.info.size") == list(wanted.size)
    shown = tab.evaluate(
        "(() => {const p = rsi.viewer.stage.pixels; return [p.width, p.height,"
        "...[0.1, 0.3, 0.6, 0.9].flatMap((at) => {const i = 4 * (Math.floor(at * p.height) * p.width"
        "+ Math.floor(at * p.width)); return [...p.data.slice(i, i + 3)]})]})()"
    )
    large = np.asarray(wanted.resize(shown[:2])).astype(int)
    for place, at in enumerate((0.1, 0.3, 0.6, 0.9)):
        there = large[int(at * shown[1]), int(at * shown[0])]
        assert np.abs(there - shown[2 + 3 * place : 5 + 3 * place]).mean() < 40  # it was enlarged, and is a JPEG
