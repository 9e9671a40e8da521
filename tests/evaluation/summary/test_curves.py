from __future__ import annotations

import numpy as np
import pytest

from rsi_gradcam.evaluation.summary import summarise
from rsi_gradcam.evaluation.summary.curves import MOST
from rsi_gradcam.metrics.overlap import Overlap
from rsi_gradcam.statistics.bootstrap import Resampling, bootstrap
from rsi_gradcam.statistics.choosing import choosing
from rsi_gradcam.statistics.rolling import rolling
from tests.evaluation.summary.crafted import BLOCK4, crafted, normal
from tests.evaluation.synthetic import THRESHOLDS, synthetic_store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return synthetic_store(tmp_path_factory.mktemp("store"), photos=64)


@pytest.fixture(scope="module")
def summary(store):
    return summarise(store, resamples=200)


def measured(store, column):
    rows = store.read(("photo", "probability", "method", "layer", column)).to_pylist()
    return [row for row in rows if (row["method"], row["layer"]) == ("rsi_grad_cam", BLOCK4)]


def test_a_curve_is_the_mean_at_each_threshold_with_the_bootstraps_interval(store, summary):
    (found,) = [c for c in summary.curves if (c.column, c.method, c.layer) == ("overlap_iou", "rsi_grad_cam", BLOCK4)]
    values = np.array([row["overlap_iou"] for row in measured(store, "overlap_iou")])
    assert found.points == tuple(THRESHOLDS)
    assert found.n == len(values) < MOST
    np.testing.assert_allclose(found.means, [sum(column) / len(column) for column in values.T.tolist()], rtol=1e-6)
    np.testing.assert_allclose(found.intervals, bootstrap(values, how=Resampling(200)).intervals(), rtol=1e-6)


def test_every_curve_of_every_method_and_control_is_there(summary):
    assert len(summary.curves) == 3 * len({row.place for row in summary.rows})


def test_what_the_whole_set_gives_is_the_metrics_own_with_half_of_the_photos_choosing(store, summary):
    rows = measured(store, "overlap_iou")
    values = np.array([row["overlap_iou"] for row in rows], np.float64)
    expected = Overlap().pooled({"iou": values}, choosing([row["photo"] for row in rows]))
    found = {p.name: p.value for p in summary.pooled if (p.method, p.layer) == ("rsi_grad_cam", BLOCK4)}
    assert found == pytest.approx(expected)
    assert found


def test_of_a_single_column_the_numbers_of_the_whole_set_are_there_too(store, summary):
    found = summarise(store, resamples=100, metrics=["overlap_iob"])
    assert {row.column for row in found.curves} == {"overlap_iob"}
    assert found.pooled == tuple(each for each in summary.pooled if each.metric == "overlap")


def test_against_the_probability_it_is_the_rolling_mean_and_bins_that_hold_each_photo_once(store, summary):
    (found,) = [
        each
        for each in summary.by_probability
        if (each.column, each.method, each.layer) == ("energy", "rsi_grad_cam", BLOCK4)
    ]
    rows = measured(store, "energy")
    expected = rolling(np.array([row["probability"] for row in rows]), np.array([row["energy"] for row in rows]))
    assert found.rolling.window == len(rows) // 10
    np.testing.assert_allclose(found.rolling.mean, expected.mean, rtol=1e-12)
    assert sum(each.photos for each in found.bins) == len(rows)
    assert any(each.photos == 0 for each in found.bins)


def test_the_width_of_the_window_is_said(tmp_path):
    store = crafted(tmp_path, {("grad_cam", BLOCK4): normal(0.4, 30)})
    assert any("the rolling window over the probability has 3 photos" in note for note in summarise(store).notes)
