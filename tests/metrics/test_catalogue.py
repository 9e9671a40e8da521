"""Metrics by name: `metrics.catalogue`, `by_name`, `chosen`."""

from __future__ import annotations

import pytest

from rsi_gradcam import metrics
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.metrics import PAPER, Energy, Overlap


def test_with_nothing_said_they_are_the_papers():
    assert [metric.name for metric in metrics.chosen()] == list(PAPER)
    assert all("paper" in type(metric).presets for metric in metrics.chosen())


def test_all_are_all():
    assert [metric.name for metric in metrics.chosen(["all"])] == list(metrics.catalogue())


def test_they_come_in_the_order_of_the_names_each_once():
    assert metrics.chosen(["overlap", "energy", "overlap"]) == (Overlap(), Energy())
    assert metrics.chosen("energy") == (Energy(),)


def test_a_preset_sets_the_conventions_of_those_that_know_it():
    assert metrics.chosen(["energy", "overlap"], "quantus") == (Energy(light="raw"), Overlap())


def test_by_name_takes_conventions():
    assert metrics.by_name("overlap", sign=">=") == Overlap(sign=">=")


def test_a_metric_can_be_imported_by_its_class():
    assert metrics.Energy is metrics.catalogue()["energy"]
    with pytest.raises(AttributeError, match="no attribute 'Enrgy'"):
        metrics.Enrgy  # noqa: B018


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: metrics.chosen(["enrgy"]), "'enrgy' is no metric: did you mean energy"),
        (lambda: metrics.chosen([]), "metrics must be a list of one or more names"),
        (lambda: metrics.chosen(None, "papr"), "'papr' is no preset of metrics: did you mean paper"),
        (lambda: metrics.by_name("overlap", setp=0.1), "overlap has no convention 'setp': did you mean step"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        wrong()
