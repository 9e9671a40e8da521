from __future__ import annotations

import ast

import pytest

from rsi_gradcam.web.script import plain, script
from tests.web.fakes import LAYER, run

LOOK = "colours='inferno', alpha=0.7"


def keywords(text):
    """Of the one call of `explain_all`."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    call = next(each for each in calls if ast.unparse(each.func) == "explain_all")
    return {each.arg: ast.unparse(each.value) for each in call.keywords}


@pytest.mark.parametrize(
    ("exactness", "said"), [("37 steps", ("steps", "37")), ("0.02", ("tolerance", "0.02")),
                            ("as in the paper", ("preset", "'paper'"))],
)  # fmt: skip
def test_it_asks_what_was_asked(exactness, said):
    found = keywords(script(run(("rsi_grad_cam", "layer_cam"), exactness, classes=(1, 3)), LOOK))
    assert found["methods"] == "['rsi_grad_cam', 'layer_cam']"
    assert found["layers"] == f"['{LAYER}']"
    assert found["targets"] == "[1, 3]"
    assert found[said[0]] == said[1]


def test_black_is_the_networks_black():
    made = run()
    found = keywords(script(made, LOOK))
    mean = made.loaded.network.preprocess.mean
    assert found["baseline"].startswith("Black(")
    assert all(repr(value) in found["baseline"] for value in mean)


def test_any_baseline_can_be_written(monkeypatch):
    from rsi_gradcam import catalog
    from rsi_gradcam.web.choice import baselines

    for name in baselines():
        text = script(run(baseline=name), LOOK)
        kind = catalog.baselines()[name].__name__
        assert f"from rsi_gradcam.baselines import {kind}\n" in text
        scope: dict[str, object] = {}
        exec(f"from rsi_gradcam.baselines import {kind}", scope)
        assert isinstance(eval(keywords(text)["baseline"], scope), catalog.baselines()[name])


@pytest.mark.parametrize("name", ['a"""; import os #.png', "a'b\\", "{x}", "a\nb.png", '"""', "\u2028.png"])
def test_the_name_of_a_file_cannot_become_code(name):
    made = run()
    object.__setattr__(made.photo, "name", name)
    tree = ast.parse(script(made, LOOK))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules == {"sys", "numpy"}
    assert plain(name) in ast.unparse(tree)
