"""Ten people at once: each gets the right answers, and only their own."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from rsi_gradcam import Black, explain_all
from rsi_gradcam.zoo import load
from tests.web.fakes import picture, png
from tests.web.person import Person

PEOPLE = 10
METHODS = ["grad_cam", "rsi_grad_cam"]


@pytest.fixture(scope="module")
def crowd(address):
    """(predictions, class, maps) that each of them was given."""
    together = Barrier(PEOPLE)

    def visit(number):
        with Person(address) as person:
            together.wait(120)
            shown = person.show(png(number, (320, 240)), f"photo {number}.png")
            together.wait(120)
            said = person.explain(METHODS, ["bn2"], "12 steps")
            return shown, said, person.call("pull", have={}, photo="")

    with ThreadPoolExecutor(PEOPLE) as people:
        return list(people.map(visit, range(PEOPLE)))


@pytest.fixture(scope="module")
def network():
    return load()


@pytest.mark.parametrize("number", range(PEOPLE))
def test_each_gets_the_right_answer_and_nothing_is_lost(crowd, network, number):
    shown, said, pulled = crowd[number]
    assert said["run"]["state"] == "done"
    assert said["photo"]["name"] == f"photo {number}.png"
    x = network.preprocess(picture(number, (320, 240)))[None]
    black = Black(network.preprocess.mean, network.preprocess.std)
    classes = [shown["predictions"][0]["index"]]
    maps = explain_all(network.network, x, ["bn2"], METHODS, targets=classes, baseline=black, steps=12)
    assert {cell["key"] for cell in pulled["cells"]} == {"|".join(map(str, key)) for key in maps}
    for key, e in maps.items():
        cell = next(cell for cell in pulled["cells"] if cell["key"] == "|".join(map(str, key)))
        assert cell["score"] == pytest.approx(e.score.item(), rel=1e-3)
        assert shown["predictions"][0]["p"] == pytest.approx(e.score.item(), rel=1e-3)
        np.testing.assert_allclose(floats(cell["raw"]), e.raw.flatten(), rtol=5e-3, atol=float(e.raw.max()) * 5e-3)


def floats(text):
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_no_two_of_them_got_the_same(crowd):
    assert len({pulled["cells"][0]["raw"] for _, _, pulled in crowd}) == PEOPLE
    assert len({said["token"] for _, said, _ in crowd}) == PEOPLE
