from __future__ import annotations

import json

import pytest
import torch

from rsi_gradcam.web.limits import KEPT, SESSIONS
from rsi_gradcam.web.session import Sessions
from tests.web.fakes import LAYER, NAME, explorer, picture, png, written


@pytest.fixture
def page():
    return explorer()


@pytest.fixture
def one(page, tmp_path):
    session = page.sessions.of("one")
    page.show(session, written(tmp_path, png()), NAME)
    return session


def ask(page, session, methods=("grad_cam", "rsi_grad_cam"), exactness="10 steps", layers=(LAYER,)):
    return [json.loads(said) for said in page.explain(session, methods, layers, "black", exactness)]


def test_the_predictions_are_the_networks(page, one):
    network = page.networks.get(NAME).network
    with torch.no_grad():
        p = network.network(network.preprocess(picture())[None]).softmax(1)[0]
    best = int(p.argmax())
    assert one.predictions[0] == (best, pytest.approx(float(p[best])))
    assert [index for index, _ in one.predictions] == p.argsort(descending=True).tolist()
    assert one.classes == (best,)


def test_the_states_end_with_everything_done(page, one):
    told = ask(page, one)
    assert told[-1]["run"]["state"] == "done"
    assert told[-1]["run"]["share"] == 1
    assert set(told[-1]["run"]["cells"]) == {f"{m}|{LAYER}|{one.classes[0]}" for m in ("grad_cam", "rsi_grad_cam")}


def test_what_was_asked_for_before_is_there_at_once_and_the_network_is_not_asked_again(page, one):
    ask(page, one)
    first = one.run
    ask(page, one, ("grad_cam",))
    calls = []
    handle = page.networks.get(NAME).network.network.register_forward_hook(lambda *_: calls.append(1))
    assert len(ask(page, one)) == 1
    handle.remove()
    assert one.run is first
    assert calls == []


def test_only_the_last_few_runs_are_kept(page, one):
    for steps in range(2, 4 + KEPT):
        ask(page, one, exactness=f"{steps} steps")
    assert len(one.kept) == KEPT


def test_a_new_question_stops_the_one_before(page, one):
    first = page.explain(one, ["rsi_grad_cam"], [LAYER], "black", "512 steps")
    next(first)
    run = one.run
    ask(page, one, ("grad_cam",))
    assert run.stopping.is_set()
    assert one.run is not run
    assert json.loads(list(first)[-1])["run"]["id"] == one.run.identity


def test_a_listener_that_goes_away_stops_the_work(page, one):
    states = page.explain(one, ["rsi_grad_cam"], [LAYER], "black", "512 steps")
    next(states)
    states.close()
    assert one.run.stopping.is_set()


def test_a_bad_photo_is_said_and_the_next_good_one_forgets_it(page, one, tmp_path):
    told = json.loads(page.show(one, written(tmp_path, b"nothing"), NAME))
    assert told["photo"] is None
    assert "no photo" in told["notice"]
    assert str(tmp_path) not in told["notice"]
    told = json.loads(page.show(one, written(tmp_path, png()), NAME))
    assert told["notice"] == ""
    assert told["predictions"]


def test_a_wrong_choice_is_said_in_a_line(page, one):
    (told,) = ask(page, one, ("no_cam",))
    assert "no_cam" in told["notice"]
    assert told["run"] is None


@pytest.mark.parametrize("model", ["os:system", "../tiny", "", "x" * 500])
def test_only_networks_of_the_list_are_loaded(page, tmp_path, model):
    session = page.sessions.of("two")
    told = json.loads(page.show(session, written(tmp_path, png()), model))
    assert "no network of this page" in told["notice"]


@pytest.mark.parametrize(
    ("classes", "name", "beside", "chosen"),
    [([2], "", False, (2,)), ([2, 3], "", False, (2, 3)), ([2, 2], "", False, (2,)),
     ([], "silver birch", False, (1,)), ([3], "ash", True, (3, 0)), ([1, 2, 3], "", False, (1, 2))],
)  # fmt: skip
def test_a_class_is_chosen_by_a_click_or_by_its_name(page, one, classes, name, beside, chosen):
    page.choose(one, classes, name, beside)
    assert one.classes == chosen


@pytest.mark.parametrize("classes", [[99], [-1], ["1"], None, {"a": 1}, [True], [1.5]])
def test_what_is_no_class_changes_nothing(page, one, classes):
    before = one.classes
    page.choose(one, classes)
    assert one.classes == before


def test_a_name_that_is_no_class_is_said(page, one):
    page.choose(one, [0], "oak")
    assert "oak" in one.fault


def test_each_user_sees_their_own(page, tmp_path):
    sessions = [page.sessions.of(str(number)) for number in range(3)]
    for number, session in enumerate(sessions):
        page.show(session, written(tmp_path, png(seed=number)), NAME)
        ask(page, session, ("grad_cam",))
    raws = [page.pull({"token": session.token, "have": {}})["cells"][0]["raw"] for session in sessions]
    assert len(set(raws)) == 3
    assert len({session.token for session in sessions}) == 3


@pytest.mark.parametrize("token", [None, "", "one", 3, {"a": 1}, "ü"])
def test_without_the_token_nothing_is_told_or_stopped_or_given(page, one, token):
    ask(page, one)
    assert page.pull({"token": token, "have": {}}) == {"photo": None, "run": None, "cells": []}
    assert page.stop({"token": token}) is False
    assert "fault" in page.take({"token": token, "kind": "npz"})


def test_only_what_is_new_is_pulled(page, one):
    ask(page, one)
    everything = page.pull({"token": one.token, "have": {}})
    assert len(everything["cells"]) == 2
    have = {cell["key"]: cell["version"] for cell in everything["cells"]}
    assert page.pull({"token": one.token, "have": have, "photo": everything["photo"]["id"]})["cells"] == []


def test_of_too_many_users_the_one_longest_away_is_forgotten():
    sessions = Sessions()
    first = sessions.of("first")
    for number in range(SESSIONS):
        sessions.of(str(number))
    assert sessions.by_token(first.token) is None
    assert sessions.of("1") is sessions.of("1")


def test_a_photo_that_takes_longer_does_not_come_after_a_later_one(page, tmp_path, monkeypatch):
    session = page.sessions.of("two")
    network = page.networks.get(NAME).network
    inner, forward = [], network.network.forward

    def slow(x):
        if not inner:
            inner.append(1)
            page.show(session, written(tmp_path, png(seed=5), "second.png"), NAME)
        return forward(x)

    monkeypatch.setattr(network.network, "forward", slow)
    page.show(session, written(tmp_path, png(seed=4), "first.png"), NAME)
    assert session.photo.name == "second.png"
    assert torch.equal(session.x, network.preprocess(picture(5))[None])
