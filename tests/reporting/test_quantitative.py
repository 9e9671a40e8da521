"""What is drawn is what the store holds: read back from the figures, and counted anew by plain loops."""

from __future__ import annotations

import statistics

import pytest

from rsi_gradcam.reporting.plates.average_energy import AverageEnergy
from rsi_gradcam.reporting.plates.dark_heatmaps_barplots import DarkHeatmapsBarplots, power
from rsi_gradcam.reporting.plates.heatmap_int_normal import HeatmapIntNormal
from rsi_gradcam.reporting.plates.heatmap_int_raw import HeatmapIntRaw
from rsi_gradcam.reporting.plates.increment_in_confidence import IncrementInConfidence
from rsi_gradcam.reporting.plates.jac import Jac
from rsi_gradcam.reporting.study import Study
from tests.evaluation import synthetic
from tests.evaluation.synthetic import EPSILONS, THRESHOLDS
from tests.reporting import stores
from tests.reporting.reading import by_gid, own, words

LAYERS = ("features.20", "features.12")  # as they stand in figures: the last first
METHODS = ("grad_cam", "integrated_grad_cam", "rsi_grad_cam")


@pytest.mark.parametrize(
    ("plate", "column"), [(HeatmapIntRaw(), "intensity_raw"), (HeatmapIntNormal(), "intensity_normalised")]
)
def test_a_box_stands_at_the_quartiles_of_its_maps(study, plate, column):
    (drawn,) = plate.draw(study)
    assert drawn.name == plate.label
    for axes, layer in zip(drawn.figure.axes, LAYERS, strict=True):
        for method in METHODS:
            values = sorted(row[column] for row in own(study, method, layer, column))
            corners = by_gid(axes, f"{method}@{layer}").get_path().vertices[:, 1]
            low, _, high = statistics.quantiles(values, n=4, method="inclusive")
            assert corners.min() == pytest.approx(low)
            assert corners.max() == pytest.approx(high)


def test_a_median_is_drawn_in_every_box(study):
    (drawn,) = HeatmapIntNormal().draw(study)
    for axes, layer in zip(drawn.figure.axes, LAYERS, strict=True):
        flat = {round(line.get_ydata()[0], 9) for line in axes.lines if len(set(line.get_ydata())) == 1}
        for method in METHODS:
            values = [row["intensity_normalised"] for row in own(study, method, layer, "intensity_normalised")]
            assert round(statistics.median(values), 9) in flat


def test_dark_maps_are_counted_for_each_epsilon_with_the_average_p_above(study):
    (drawn,) = DarkHeatmapsBarplots().draw(study)
    axes = drawn.figure.axes[0]
    assert axes.get_yscale() == "log"
    bars = axes.containers[METHODS.index("grad_cam")]
    written = [text.get_text() for text in axes.texts]
    for bar, epsilon in zip(bars, sorted(EPSILONS, reverse=True), strict=True):
        column = f"darkness_{epsilon:g}"
        dark = [row["probability"] for row in own(study, "grad_cam", "features.20", column) if row[column] == 1]
        assert bar.get_height() == len(dark) > 0
        assert f"p {sum(dark) / len(dark):.3f}" in written
    assert [label.get_text() for label in axes.get_xticklabels()] == ["10⁻⁴", "10⁻⁶", "10⁻⁸"]


def test_a_method_without_dark_maps_has_zeros_written_where_its_bars_would_be(study):
    (drawn,) = DarkHeatmapsBarplots().draw(study)
    below = drawn.figure.axes[1]
    assert [text.get_text() for text in below.texts] == ["0"] * len(METHODS) * len(EPSILONS)


def test_powers_of_ten_are_written_as_such():
    assert [power(each) for each in (1e-4, 1e-16, 0.5, 0.0)] == ["10⁻⁴", "10⁻¹⁶", "0.5", "0"]


def rolled(pairs: list[tuple[float, float]], window: int) -> list[tuple[float, float]]:
    pairs = sorted(pairs)
    found = []
    for start in range(len(pairs) - window + 1):
        some = pairs[start : start + window]
        found.append((sum(p for p, _ in some) / window, sum(value for _, value in some) / window))
    return found


@pytest.mark.parametrize(
    ("plate", "place", "column"),
    [(IncrementInConfidence(), 0, "average_drop"), (AverageEnergy(), 0, "energy")],
)
def test_a_line_is_the_mean_over_a_window_of_photos_in_the_order_of_p(study, plate, place, column):
    figure = plate.draw(study)[0].figure
    axes = figure.axes[place]
    for method in METHODS:
        pairs = [(row["probability"], row[column]) for row in own(study, method, "features.20", column)]
        line = by_gid(axes, f"{method}@features.20")
        expected = rolled(pairs, len(pairs) // 10)
        assert list(line.get_xdata()) == pytest.approx([p for p, _ in expected])
        assert list(line.get_ydata()) == pytest.approx([value for _, value in expected])


def test_below_each_line_stand_bins_that_do_not_overlap(study):
    figure = AverageEnergy().draw(study)[0].figure
    below, GID = figure.axes[1], "bins:rsi_grad_cam@features.20"
    labels = [label.get_text() for label in below.get_xticklabels()]
    found = [row for row in own(study, "rsi_grad_cam", "features.20", "energy") if 0.9 <= row["probability"] < 0.99]
    mean = sum(row["energy"] for row in found) / len(found)
    (bars,) = [each for each in below.containers if each.lines[0].get_gid() == GID]
    markers = dict(zip((round(x) for x in bars.lines[0].get_xdata()), bars.lines[0].get_ydata(), strict=True))
    assert markers[labels.index("0.9–0.99")] == pytest.approx(mean)
    for segment, y in zip(bars.lines[2][0].get_segments(), bars.lines[0].get_ydata(), strict=True):
        assert segment[0, 1] <= y <= segment[1, 1]


def test_an_overlap_is_its_mean_at_each_threshold_within_its_band(study):
    drawn = {each.name: each for each in Jac().draw(study)}
    assert list(drawn) == ["jac-block5", "jac-block4"]
    axes = drawn["jac-block4"].figure.axes[0]
    for method in METHODS:
        curves = [row["overlap_iou"] for row in own(study, method, "features.12", "overlap_iou")]
        line = by_gid(axes, f"{method}@features.12")
        assert list(line.get_xdata()) == pytest.approx(THRESHOLDS)
        for place, y in enumerate(line.get_ydata()):
            assert y == pytest.approx(sum(curve[place] for curve in curves) / len(curves))
    assert len(axes.collections) == len(METHODS)


@pytest.mark.parametrize("plate", [IncrementInConfidence(), AverageEnergy(), Jac(), DarkHeatmapsBarplots()])
def test_an_axis_says_what_is_better_and_a_legend_who_is_who(study, plate):
    said = words(plate.draw(study)[0].figure)
    assert "is better" in said
    for title in ("Grad-CAM", "Integrated Grad-CAM", "RSI-Grad-CAM"):
        assert title in said


def test_controls_are_grey_and_can_be_left_out(study):
    alone = Study(study.store, controls=False, resamples=200)
    for each, there in ((study, True), (alone, False)):
        figure = AverageEnergy().draw(each)[0].figure
        assert ("control: box" in words(figure)) is there
        found = [line for line in figure.axes[0].lines if str(line.get_gid()).startswith("box@")]
        assert len(found) == there
        assert all(len(set(line.get_color()[1:3] + line.get_color()[3:5])) <= 2 for line in found)


def test_methods_differ_in_line_and_marker_not_in_colour_alone(study):
    styles = {each.method: each.style for each in study.methods}
    assert len({style.line for style in styles.values()}) == len(styles)
    assert len({style.marker for style in styles.values()}) == len(styles)


def test_figures_of_a_layer_bear_its_name(study):
    names = [each.name for each in IncrementInConfidence().draw(study)]
    assert names == ["increment-in-confidence-block5", "increment-in-confidence-block4"]


def test_normalised_means_are_labelled_with_the_metrics_epsilon_and_not_the_runs(tmp_path):
    configuration = synthetic.configuration(20, 0)
    configuration["explain"]["epsilon"] = 0.0
    configuration["metrics"] = [
        each | ({"configuration": "Intensity(epsilon=1e-07)"} if each["name"] == "intensity" else {})
        for each in configuration["metrics"]
    ]
    store = stores.written(tmp_path, configuration, [list(synthetic.rows_of(index, 0)) for index in range(20)])
    (drawn,) = HeatmapIntNormal().draw(Study(store, resamples=100))
    assert "normalised with ε = 1e-07" in words(drawn.figure)
