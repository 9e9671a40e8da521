from __future__ import annotations

import pytest

from rsi_gradcam import GradCAM, IntegratedGradients, Probability, RSIGradCAM
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures.arrangement import arranged, heading
from tests.figures.explanations import NETWORK, explanation

BOTH = (GradCAM(), RSIGradCAM())


def grid(methods=BOTH, layers=("blocks.0", "head"), classes=(0,)):
    return {
        (method.name, layer, index): explanation(
            method=method, layer=layer, target=Probability(index), category=index
        )
        for method in methods
        for layer in layers
        for index in classes
    }


def test_methods_go_across_and_layers_down_as_in_the_paper():
    cells = arranged(grid()).cells()
    assert [[cells[row, column].method.name for column in (0, 1)] for row in (0, 1)] == 2 * [
        ["grad_cam", "rsi_grad_cam"]
    ]
    assert [[cells[row, column].layer for column in (0, 1)] for row in (0, 1)] == [2 * ["blocks.0"], 2 * ["head"]]


def test_what_is_the_same_for_all_is_the_title():
    table = arranged(grid(layers=("head",)))
    assert table.same == ("layer", "target")
    assert heading(table.explanations[0], table.same, 0, NETWORK) == "tiger cat, 39.3% · layer head"


def test_of_one_method_the_layers_go_across():
    assert arranged(grid(methods=(GradCAM(),), classes=(0, 1))).across == "layer"
    assert arranged(grid(methods=(GradCAM(),), layers=("head",), classes=(0, 1))).across == "target"


def test_layers_and_classes_share_the_rows():
    table = arranged(grid(classes=(0, 1)))
    assert (len(table.columns), len(table.rows), len(table.cells())) == (2, 4, 8)


def test_the_user_may_say_what_goes_across():
    table = arranged(grid(), "layer")
    assert table.cells()[1, 0].layer == "blocks.0"
    assert table.cells()[1, 0].method == RSIGradCAM()


def test_a_map_that_was_not_made_leaves_its_place_empty():
    some = grid()
    del some["grad_cam", "head", 0]
    assert set(arranged(some).cells()) == {(0, 0), (0, 1), (1, 1)}


def test_a_list_will_do_as_well():
    assert len(arranged(list(grid().values())).cells()) == 4


def test_maps_of_the_input_stand_in_the_first_row_of_their_class():
    at_input = [
        explanation(method=IntegratedGradients(), layer="input", target=Probability(i), category=i) for i in (0, 1)
    ]
    table = arranged([*at_input, *grid(methods=(RSIGradCAM(),), classes=(0, 1)).values()])
    cells = table.cells()
    assert set(cells) == {(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (3, 1)}
    assert {cells[place].layer for place in ((0, 0), (1, 0))} == {"input"}
    assert all(cells[row, 0].classes == cells[row, 1].classes for row in (0, 1))
    assert heading(table.first(row=0), table.down, 0, NETWORK) == "tiger cat, 39.3% · layer stage1 (blocks.0)"
    assert table.aside(cells[0, 0])
    assert not table.aside(cells[0, 1])


def test_where_layers_go_across_the_input_has_its_own_column():
    at_input = explanation(method=IntegratedGradients(), layer="input")
    assert len(arranged([at_input, explanation()], "layer").columns) == 2


def test_nothing_to_compare_is_refused():
    with pytest.raises(ConfigurationError, match="at least one"):
        arranged({})


def test_a_wrong_facet_is_answered_with_the_right_ones():
    with pytest.raises(ConfigurationError, match="did you mean method"):
        arranged(grid(), "methods")


def test_a_gap_in_a_column_does_not_change_the_order_of_the_rows():
    cells = [
        explanation(method=GradCAM(), layer="head"),
        explanation(layer="blocks.0"),
        explanation(layer="head"),
    ]
    table = arranged(cells)
    assert [row[0] for row in table.rows] == ["blocks.0", "head"]
    assert table.columns == list(BOTH)
    assert table.home.layer == "blocks.0"
