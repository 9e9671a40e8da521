"""Means and comparisons, against the rows of the store gone through by hand."""

from __future__ import annotations

import json
from statistics import fmean, median

import numpy as np
import pytest
import scipy.stats

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.store import Store
from rsi_gradcam.evaluation.summary import reading, summarise
from rsi_gradcam.evaluation.summary.rows import unless_rounding
from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap
from rsi_gradcam.statistics.proportion import wilson
from tests.evaluation.summary.crafted import BLOCK4, BLOCK5, INPUT, crafted, normal
from tests.evaluation.synthetic import CONTROLS, LAYERS, METHODS, metric, synthetic_manifest, synthetic_store

FEW = 200  # resamples: enough where nothing hangs on the interval


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synthetic_store(tmp_path_factory.mktemp("store"), photos=64)


@pytest.fixture(scope="module")
def summary(store):
    return summarise(store, resamples=FEW)


def measured(store, column, method, layer):
    rows = store.read(("method", "layer", column)).to_pylist()
    return [row[column] for row in rows if (row["method"], row["layer"]) == (method, layer)]


def row_in(summary, column, method, layer):
    (found,) = [row for row in summary.rows if (row.column, row.method, row.layer) == (column, method, layer)]
    return found


def pair_in(summary, first, second, layer):
    (found,) = [p for p in summary.pairs if (p.first.method, p.second.method, p.layer) == (first, second, layer)]
    return found


@pytest.mark.parametrize("column", ["energy", "average_drop", "intensity_raw", "darkness_1e-08"])
@pytest.mark.parametrize(("method", "layer"), [("grad_cam", BLOCK5), ("rsi_grad_cam", BLOCK4), ("edges", INPUT)])
def test_means_and_medians_are_those_of_the_rows(store, summary, column, method, layer):
    values = measured(store, column, method, layer)
    found = row_in(summary, column, method, layer)
    assert found.n == len(values) == summary.photos
    assert found.mean == pytest.approx(fmean(values), rel=1e-12)
    assert found.median == pytest.approx(median(values), rel=1e-12)


def test_dark_maps_are_counted_and_the_mean_is_given_without_them_too(store, summary):
    dark = measured(store, "darkness_1e-08", "grad_cam", BLOCK5)
    energies = measured(store, "energy", "grad_cam", BLOCK5)
    lit = [energy for energy, is_dark in zip(energies, dark, strict=True) if not is_dark]
    found = row_in(summary, "energy", "grad_cam", BLOCK5)
    assert found.n_dark == sum(dark) > 0
    assert found.mean_without_dark == pytest.approx(fmean(lit), rel=1e-12)
    assert found.mean_without_dark > found.mean


def test_intervals_are_the_bootstraps_and_of_shares_wilsons(store, summary):
    values = np.array(measured(store, "energy", "rsi_grad_cam", BLOCK4))
    (expected,) = bootstrap(values[:, None], how=Resampling(FEW)).intervals()
    np.testing.assert_allclose(row_in(summary, "energy", "rsi_grad_cam", BLOCK4).interval, expected, rtol=1e-9)
    dark = row_in(summary, "darkness_1e-08", "rsi_grad_cam", BLOCK4)
    assert dark.mean == 0
    assert dark.interval == wilson(0.0, dark.n)


def test_a_number_that_is_0_on_every_photo_is_no_share(tmp_path):
    found = summarise(
        crafted(tmp_path, {("grad_cam", BLOCK4): np.zeros(30), ("rsi_grad_cam", BLOCK4): normal(0.5, 30)})
    )
    assert found.rows[0].interval == (0.0, 0.0)


def test_who_is_compared_with_whom(summary):
    found = {
        (pair.layer, pair.first.method, pair.second.method, pair.second.layer)
        for pair in summary.pairs
        if pair.column == "energy"
    }
    expected = set()
    for layer in LAYERS:
        names = list(METHODS)
        expected |= {(layer, names[i], names[j], layer) for i in range(3) for j in range(i + 1, 3)}
        for control in set(CONTROLS) - {"box"}:
            place = layer if control == "activation" else INPUT
            expected |= {(layer, method, control, place) for method in METHODS}
    assert found == expected


def test_differences_are_paired_by_photo_and_tested_as_by_scipy(store, summary):
    first, second = (np.array(measured(store, "energy", method, BLOCK5)) for method in ("grad_cam", "rsi_grad_cam"))
    (found,) = [
        pair
        for pair in summary.pairs
        if (pair.column, pair.layer) == ("energy", BLOCK5)
        and (pair.first.method, pair.second.method) == ("grad_cam", "rsi_grad_cam")
    ]
    assert found.difference == pytest.approx((first - second).mean(), rel=1e-12)
    assert found.p == pytest.approx(scipy.stats.wilcoxon(first, second).pvalue, rel=1e-9)
    assert found.n == len(first)


def test_holm_counts_every_comparison_of_the_table(summary):
    smallest = min(summary.pairs, key=lambda pair: pair.p)
    assert smallest.p_holm == pytest.approx(min(1, smallest.p * len(summary.pairs)))
    assert all(pair.p_holm >= pair.p for pair in summary.pairs)


def test_neither_darkness_nor_what_has_no_better_is_compared_with_controls(summary):
    assert {pair.metric for pair in summary.pairs if pair.second.control} == {"energy", "average_drop"}
    assert "intensity" in {pair.metric for pair in summary.pairs}


def test_it_does_not_hang_on_how_much_is_in_memory_at_once(store, monkeypatch):
    some = ["energy", "overlap", "darkness"]
    whole = summarise(store, resamples=FEW, metrics=some).as_dict()
    monkeypatch.setattr(reading, "RESIDENT", 1)
    assert summarise(store, resamples=FEW, metrics=some).as_dict() == whole


def test_the_same_seed_gives_the_same_and_another_other_intervals(store, summary):
    assert summarise(store, resamples=FEW, metrics=["energy"]).rows == tuple(
        row for row in summary.rows if row.metric == "energy"
    )
    other = summarise(store, resamples=FEW, metrics=["energy"], seed=1).rows[0]
    assert other.mean == summary.rows[0].mean
    assert other.interval != summary.rows[0].interval


def test_it_is_plain_values_without_nan(summary):
    said = json.loads(json.dumps(summary.as_dict(), allow_nan=False))
    assert len(said["rows"]) == len(summary.rows)
    assert said["rows"][0]["interval"].keys() == {"low", "high"}
    assert {pair["outcome"] for pair in said["pairs"]} <= {"first", "second", "none", "unclear"}


def test_photos_without_a_number_do_not_count(tmp_path):
    some, all_of_them = normal(0.4), normal(0.5, seed=1)
    some[[3, 8]] = np.nan
    found = summarise(crafted(tmp_path, {("grad_cam", BLOCK4): some, ("rsi_grad_cam", BLOCK4): all_of_them}))
    assert [row.n for row in found.rows] == [58, 60]
    pair = pair_in(found, "grad_cam", "rsi_grad_cam", BLOCK4)
    assert pair.n == 58
    assert pair.difference == pytest.approx(np.nanmean(some - all_of_them))


def test_a_measure_that_nobody_has_is_empty_and_nothing_is_said_of_it(tmp_path):
    nothing = np.full(20, np.nan)
    found = summarise(crafted(tmp_path, {("grad_cam", BLOCK4): nothing, ("rsi_grad_cam", BLOCK4): nothing}))
    assert [row.n for row in found.rows] == [0, 0]
    assert found.as_dict()["rows"][0]["mean"] is None
    assert not found.pairs
    assert not found.verdicts


def test_rows_of_one_picture_are_drawn_together(tmp_path):
    values = {("grad_cam", BLOCK4): np.repeat(normal(0.4, 20), 4)}
    names = [f"mosaic-{index // 4:06d}#{index % 4}" for index in range(80)]
    together = summarise(crafted(tmp_path / "one", values, names=names, dataset="mosaic"))
    apart = summarise(crafted(tmp_path / "other", values))
    assert (together.photos, together.pictures, apart.pictures) == (80, 20, 80)
    wide, narrow = (found.rows[0].interval.high - found.rows[0].interval.low for found in (together, apart))
    assert 1.7 < wide / narrow < 2.3
    assert any("80 rows show 20 pictures" in note for note in together.notes)
    assert any("photos that recur" in note for note in together.notes)
    assert not any("show" in note for note in apart.notes)


def test_photos_with_a_number_sign_in_their_names_are_pictures_of_their_own(tmp_path):
    names = [f"photo#{index}.png" for index in range(20)]
    found = summarise(crafted(tmp_path, {("grad_cam", BLOCK4): normal(0.4, 20)}, names=names, pictures=names))
    assert (found.photos, found.pictures) == (20, 20)


def test_a_column_that_is_named_is_in_the_table_though_it_is_no_headline(tmp_path):
    column = {"name": "more_weighted", "headline": False, "curve": False, "better": "higher"}
    values = {("grad_cam", BLOCK4): normal(0.4), ("rsi_grad_cam", BLOCK4): normal(0.9, seed=1)}
    more = {**metric("more", {"": "higher"}), "name": "more"}
    more["columns"] = [*more["columns"], column]
    store = crafted(tmp_path, values, name="more_weighted", metrics=[more])
    assert not any(row.column == "more_weighted" for row in summarise(store, resamples=FEW, metrics=["more"]).rows)
    named = summarise(store, resamples=FEW, metrics=["more_weighted"])
    assert [(row.column, row.n) for row in named.rows] == [("more_weighted", 60)] * 2
    assert [pair.outcome for pair in named.pairs] == ["second"]


def test_an_unfinished_store_is_summarised_and_it_is_said(tmp_path):
    store = synthetic_store(tmp_path, photos=40)
    store.part(2).unlink()
    found = summarise(store, resamples=FEW, metrics=["energy"])
    assert "the run is not complete: 1 of 5 parts are missing" in found.notes
    assert found.photos == found.funnel["kept"]


def test_a_store_without_a_photo_and_a_metric_that_is_none_are_refused(tmp_path, store):
    with pytest.raises(ConfigurationError, match="no measured photo"):
        summarise(Store.create(tmp_path / "empty", synthetic_manifest()))
    with pytest.raises(ConfigurationError, match="did you mean energy"):
        summarise(store, metrics=["enrgy"])


@pytest.mark.parametrize("scale", [1.0, 1e-12, 1e6])
def test_what_cancels_but_for_rounding_is_0_whatever_its_scale(scale):
    size = 0.3 * scale
    assert unless_rounding(size * 1e-16, size) == 0
    assert unless_rounding(-size * 1e-16, size) == 0
    assert unless_rounding(size * 1e-9, size) == size * 1e-9
