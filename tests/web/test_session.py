from __future__ import annotations

import threading

import pytest

from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.limits import KEPT
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.session import Session, Sessions
from tests.web.fakes import LAYER, NAME, loaded, png


def choice(**fields):
    return Choice(**{"model": NAME, "methods": ("grad_cam",), "layers": (LAYER,), "classes": (1,), **fields})


@pytest.fixture
def session():
    made = Session()
    made.show(Photo("photo.png", png(), (40, 30), "data:"), loaded())
    return made


def test_without_a_photo_there_is_no_run():
    assert Session().ask(choice()) is None


def test_the_same_question_has_the_same_run_once_it_is_done(session):
    first = session.ask(choice())
    assert session.ask(choice()) is not first  # it had not begun
    session.run.work()
    done = session.run
    session.ask(choice(exactness="20 steps"))
    assert session.ask(choice()) is done
    assert done.state == "done"


def test_another_photo_is_another_question(session):
    run = session.ask(choice())
    run.work()
    session.show(Photo("other.png", png(1), (40, 30), "data:"), loaded())
    assert session.run is None
    assert session.ask(choice()) is not run


def test_a_new_question_stops_the_one_before_and_few_are_kept(session):
    runs = [session.ask(choice(exactness=f"{steps} steps")) for steps in range(1, KEPT + 4)]
    assert [run.stopping.is_set() for run in runs] == [True] * (len(runs) - 1) + [False]
    assert list(session.kept.values()) == runs[-KEPT:]


def test_clearing_forgets_the_photo_and_says_why(session):
    run = session.ask(choice())
    session.clear("it is no photo")
    assert run.stopping.is_set()
    assert (session.photo, session.predictions, session.fault) == (None, (), "it is no photo")


def test_a_user_who_leaves_takes_their_work_along():
    sessions = Sessions()
    session = sessions.of("a")
    session.show(Photo("photo.png", png(), (40, 30), "data:"), loaded())
    run = session.ask(choice())
    sessions.drop("a")
    sessions.drop("never came")
    assert run.stopping.is_set()
    assert sessions.by_token(session.token) is None
    assert sessions.of("a") is not session


def test_many_at_once_each_get_one_of_their_own():
    sessions, found = Sessions(), []
    threads = [threading.Thread(target=lambda n=n: found.append((n % 8, sessions.of(str(n % 8))))) for n in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(session) for _, session in found}) == 8
    assert len({(page, id(session)) for page, session in found}) == 8
