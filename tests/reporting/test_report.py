"""The report as text: what stands in it, and that nothing of a store is taken for markup."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
import torch

from rsi_gradcam.evaluation.summary.pooled import Pooled
from rsi_gradcam.reporting.report import page
from rsi_gradcam.reporting.report.choice import chosen
from rsi_gradcam.reporting.report.gallery import gallery
from rsi_gradcam.reporting.report.results import SHEET, results, verdicts
from rsi_gradcam.reporting.report.thumbnails import map_uri
from rsi_gradcam.reporting.study import Study
from tests.evaluation import synthetic
from tests.evaluation.summary.crafted import crafted
from tests.reporting import stores
from tests.reporting.reading import own

HOSTILE = "\"><script>alert(1)</script>&' onload=x"


class Elements(HTMLParser):
    """Counts elements, and checks that each is closed where it has to be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.count: dict[str, int] = {}
        self.sources: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.sources += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img", "input", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def text(pictured):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page, "figures", lambda *_: ())  # drawn elsewhere
        return page.report(pictured)


def test_it_is_well_formed_and_asks_nothing_of_the_network(text):
    found = Elements(text)
    assert found.open == []
    assert all(source.startswith(("data:", "#")) for source in found.sources)
    assert not re.search(r"https?:", text)
    assert "default-src 'none'" in text


@pytest.mark.parametrize("name", ["verdicts", "run", "results", "figures", "photos", "failures", "repeat"])
def test_every_part_is_there_and_linked(text, name):
    assert f'<section id="{name}"' in text
    assert f'href="#{name}"' in text


def test_it_says_how_to_repeat_the_run(text, pictured):
    manifest = pictured.store.manifest
    for said in (manifest["command"], manifest["hash"], manifest["configuration"]["network"]["weights_hash"]):
        assert said in text


def test_names_are_never_markup(tmp_path, monkeypatch):
    monkeypatch.setattr(page, "figures", lambda *_: ())

    def hostile(row):
        named = row | {"photo": f"{row['index']}{HOSTILE}"}
        return named | {"error": HOSTILE} if row["error"] else named

    rows = [[hostile(row) for row in synthetic.rows_of(index, 0)] for index in range(5)]
    configuration = synthetic.configuration(5, 0)
    configuration["network"]["name"] = configuration["methods"][0]["title"] = HOSTILE
    text = page.report(Study(stores.written(tmp_path, configuration, rows), resamples=100))
    found = Elements(text)
    assert found.count["script"] == 1
    assert "alert(1)</script>" not in text
    assert found.open == []


def test_a_mean_in_the_table_is_the_mean_of_its_maps(study):
    values = [row["energy"] for row in own(study, "rsi_grad_cam", "features.20", "energy")]
    mean = sum(values) / len(values)
    (line,) = re.findall(
        r'<tr class="method" data-layer="features.20">(?:(?!</tr>).)*RSI-Grad-CAM.*?</tr>',
        results(study).split('class="on-paper"')[0],
    )
    assert any(float(value) == pytest.approx(mean) for value in re.findall(r'data-value="([\d.e-]+)"', line))


def test_the_gallery_is_capped_at_both_ends_of_a_measure(study):
    names = chosen(study, 12)
    rows = sorted(own(study, "rsi_grad_cam", "features.20", "energy"), key=lambda row: row["energy"])
    assert len(names) == len(set(names)) == 12
    assert {rows[0]["photo"], rows[-1]["photo"]} <= set(names)
    assert chosen(study, 1000) == [row["photo"] for row in own(study, "rsi_grad_cam", "features.20")]


def test_the_gallery_says_how_many_it_shows_and_that_photos_are_inside(study, pictured):
    assert "3 of 26 photos" in gallery(study, 3)
    assert "out of reach" in gallery(study, 3)
    assert "4 photos are inside this file" in gallery(pictured)


def test_without_photos_only_heatmaps_are_inside(pictured):
    assert "image/jpeg" not in gallery(pictured, photos=False)
    assert "no photo is inside this file" in gallery(pictured, photos=False)
    assert "image/jpeg" in gallery(pictured)


def test_a_map_is_a_file_of_a_kilobyte_or_two():
    heatmap = torch.rand(14, 14, generator=torch.Generator().manual_seed(0))
    assert len(map_uri(heatmap, veil=True)) < 2500
    assert map_uri(heatmap, veil=True) != map_uri(heatmap, veil=False)


def test_how_many_comparisons_holm_corrected_for_is_said(study):
    assert f"corrected by Holm over {len(study.summary.pairs):,} comparisons;" in results(study)
    assert len(study.summary.pairs) > results(study).count('<td data-value="first"')


def test_the_numbers_of_the_whole_set_have_a_table(study):
    pooled = [Pooled("method", "rsi_grad_cam", "features.20", "px_ap", "pooled", 0.4321)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(study.__dict__, "summary", replace(study.summary, pooled=tuple(pooled)))
        found = results(study).split('<h3 id="whole-set">')[1]
    assert "px ap: pooled" in found
    assert re.search(r'RSI-Grad-CAM.*?data-value="0.4321">0.432</td></tr></tbody>', found)


def test_on_paper_the_means_stand_in_tables_that_a_sheet_is_wide_enough_for(study):
    columns = len({row.column for row in study.summary.rows})
    sheets = results(study).split('class="on-paper"')[1].split("</div></div>")[0].split("<thead>")[1:]
    assert len(sheets) == -(-columns // SHEET) > 1
    assert all(sheet.split("</thead>")[0].count("<th ") <= SHEET + 3 for sheet in sheets)
    assert sum(sheet.split("</thead>")[0].count("<th ") - 3 for sheet in sheets) == columns


def test_what_cannot_be_told_is_folded_away_with_the_undecided(tmp_path):
    study = Study(crafted(tmp_path, {("grad_cam", "features.12"): [0.4], ("rsi_grad_cam", "features.12"): [0.9]}))
    found = verdicts(study)
    assert "No difference was seen that may be called one." in found
    assert "<li>Cannot be told in energy at block4" in found.split("<details>")[1]
