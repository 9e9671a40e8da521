from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from rsi_gradcam import GradCAM, Probability, RSIGradCAM
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures import comparison, to_image
from rsi_gradcam.figures.arrangement import arranged
from rsi_gradcam.figures.page import NARROW
from rsi_gradcam.methods import IntegratedGradients, NeuronConductance, NeuronIntegratedGradients
from rsi_gradcam.targets import ThroughUnit, Unit
from tests.figures.explanations import NETWORK, explanation, grad_cam, grey, noise, pixels, said, spot


def two_by_two(**options):
    return [
        explanation(method=method, layer=layer, **options)
        for layer in ("blocks.0", "head")
        for method in (GradCAM(), RSIGradCAM())
    ]


def two_classes():
    return [
        explanation(target=Probability(i), category=i, score=(0.393, 0.356)[i], method=m)
        for i in (0, 1)
        for m in (GradCAM(), RSIGradCAM())
    ]


def test_the_words_say_method_layer_class_probability_error_and_residual():
    words = said(comparison(noise(60, 40), two_by_two(), network=NETWORK))
    for word in (
        "RSI-Grad-CAM",
        "Grad-CAM",
        "stage1 (blocks.0)",
        "layer head",
        "tiger cat",
        "39.3%",
        "error 0.004",
        "residual +2.5%",
    ):
        assert word in words


def test_a_row_per_class_with_both_named_beside_the_photo():
    words = said(comparison(noise(60, 40), two_classes(), network=NETWORK)).splitlines()
    for title in ("tiger cat, 39.3%", "Egyptian cat, 35.6%"):
        assert words.count(title) == 2
    assert "layer stage1 (blocks.0)" in words


def test_each_map_stands_in_its_row_and_column():
    """Four maps with their spot in four corners; the figure is searched for the hottest corner of each cell."""
    corners = [(0, 0), (0, 3), (3, 0), (3, 3)]
    cells = [
        explanation(spot(4, 4, *corner), method=method, layer=layer)
        for corner, (layer, method) in zip(
            corners, [(a, b) for a in ("blocks.0", "head") for b in (GradCAM(), RSIGradCAM())], strict=True
        )
    ]
    figure = comparison(grey(40, 40, 0), cells, alpha=1.0, fade=False)
    _, *axes, _ = figure.axes
    image = pixels(to_image(figure))
    for corner, place in zip(corners, axes, strict=True):
        left, bottom, width, height = place.get_position().bounds
        rows, columns = (
            len(image) - (bottom + height * np.array([1, 0])) * len(image),
            (left + width * np.array([0, 1])) * image.shape[1],
        )
        cell = image[int(rows[0]) + 3 : int(rows[1]) - 3, int(columns[0]) + 3 : int(columns[1]) - 3].sum(2)
        hottest = np.unravel_index(cell.argmax(), cell.shape)
        assert (int(hottest[0] > len(cell) / 2) * 3, int(hottest[1] > cell.shape[1] / 2) * 3) == corner


def test_the_photo_comes_first_and_is_not_touched():
    photo = noise(60, 40)
    figure = comparison(photo, two_by_two())
    shown = [place.images[0].get_array() for place in figure.axes]
    assert (shown[0] == np.asarray(photo)).all()
    assert len(shown) == 1 + 4 + 1


def test_with_both_the_heatmap_hangs_above_the_overlay():
    figure = comparison(grey(60, 40), [explanation()], show="both")
    _, above, below, _ = figure.axes
    assert above.get_position().y0 > below.get_position().y0
    assert above.images[0].get_array().min() < below.images[0].get_array().min()


def test_without_a_photo_there_are_bare_maps_only():
    assert len(comparison(None, two_by_two()).axes) == 4 + 1


def test_a_dark_map_is_called_so():
    words = said(comparison(grey(60, 40), [grad_cam(raw=1e-11 * spot(4, 4, 1, 1)), explanation()]))
    assert "dark map, range 1e-11" in words


def test_the_small_print_stays_within_its_column():
    figure = comparison(noise(30, 90), two_by_two(is_cut=False, residual=0.3, error=0.123), network=NETWORK)
    assert within(figure)
    for text in figure.texts:
        if text.get_size() < 7 and "0.5" not in text.get_text():
            assert text.get_window_extent().width / figure.dpi <= NARROW + 0.05


@pytest.mark.parametrize("size", [(600, 30), (30, 600), (7, 7), (3000, 2000)])
@pytest.mark.parametrize("cells", [two_by_two, two_classes, lambda: [explanation()]])
def test_whatever_the_photos_shape_no_word_leaves_the_page_or_lies_on_another(size, cells):
    figure = comparison(grey(*size), cells(), network=NETWORK)
    assert within(figure)
    assert not overlapping(figure)


def test_a_photo_larger_than_the_figure_is_shrunk_and_its_boxes_with_it():
    figure = comparison(grey(4000, 2000), [explanation()], boxes=[(2000, 0, 4000, 2000)], alpha=0)
    drawn = figure.axes[1].images[0].get_array()
    assert drawn.shape == (500, 1000, 3)
    left = np.nonzero((drawn == (64, 224, 255)).all(2).any(0))[0].min()
    assert left == 500


def test_a_wrong_show_is_refused():
    with pytest.raises(ConfigurationError, match="did you mean overlay"):
        comparison(grey(8, 8), [explanation()], show="overlays")


def test_a_wrong_row_is_refused():
    with pytest.raises(ConfigurationError, match="row 3"):
        comparison(grey(8, 8), [explanation()], row=3)


def within(figure):
    figure.canvas.draw()
    page = figure.bbox
    boxes = [text.get_window_extent() for text in figure.texts]
    return all(box.x0 >= 0 and box.y0 >= 0 and box.x1 <= page.x1 and box.y1 <= page.y1 for box in boxes)


def overlapping(figure):
    boxes = [text.get_window_extent() for text in figure.texts if text.get_text()]
    boxes += [place.get_window_extent() for place in figure.axes]
    shrunk = [box.padded(-1.5) for box in boxes]
    return any(a.overlaps(b) for i, a in enumerate(shrunk) for b in shrunk[:i])


def every_method(count):
    return [explanation(method=RSIGradCAM(rule=rule, units=units)) for rule in RULES for units in UNITS][:count]


RULES, UNITS = ("trapezoid", "left", "right"), ("all", "positive", "relu")


def test_more_than_six_columns_go_on_below():
    figure = comparison(noise(60, 40), every_method(8))
    six = comparison(noise(60, 40), every_method(6))
    assert figure.get_size_inches()[0] == six.get_size_inches()[0]
    assert figure.get_size_inches()[1] > 1.5 * six.get_size_inches()[1]
    _, *cells, _ = figure.axes
    lefts = [round(cell.get_position().x0, 6) for cell in cells]
    tops = [round(cell.get_position().y0, 6) for cell in cells]
    assert lefts[6:] == lefts[:2]
    assert len(set(tops[:6])) == len(set(tops[6:])) == 1
    assert tops[6] < tops[0]


def test_each_block_has_its_columns_and_its_rows_headings():
    cells = [replace(each, layer=layer) for layer in ("blocks.0", "head") for each in every_method(8)]
    words = said(comparison(noise(60, 40), cells)).splitlines()
    assert words.count("layer head") == 2
    assert sum(line.startswith("RSI-Grad-CAM") for line in words) == 8


def test_a_cell_in_which_no_map_can_be_says_so():
    cells = [each for each in two_by_two() if (each.method, each.layer) != (GradCAM(), "blocks.0")]
    assert said(comparison(None, cells, refused=[(GradCAM(), "blocks.0")])).count("not possible here") == 1
    assert "not possible here" not in said(comparison(None, cells))


def test_a_neurons_maps_stand_in_the_row_of_the_class():
    through = explanation(
        method=NeuronConductance(unit=(3, 2, 2)), target=ThroughUnit(Probability(0), "blocks.0", (3, 2, 2))
    )
    unit = explanation(
        method=NeuronIntegratedGradients(unit=(3, 2, 2)), target=Unit("blocks.0", (3, 2, 2)), category=None
    )
    table = arranged([unit, through, grad_cam()])
    assert len(table.rows) == 1
    assert table.first().target != unit.target
    assert "tiger cat" in said(comparison(None, [unit, through, grad_cam()], network=NETWORK))
    assert "unit (3, 2, 2) of blocks.0" in said(comparison(None, [unit], network=NETWORK)).replace("\n", " ")


def test_a_map_of_pixels_says_where_its_colours_end():
    pixels_too = explanation(torch.rand(8, 8), method=IntegratedGradients(), layer="input")
    assert "99.5th percentile" in said(comparison(None, [pixels_too])).replace("\n", " ")
    assert "99.5th percentile" not in said(comparison(None, [explanation()])).replace("\n", " ")
