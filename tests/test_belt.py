from __future__ import annotations

import os
import sys
import threading
import time

import pytest

from rsi_gradcam.belt import Behind, ahead, thread


def test_what_is_made_ahead_comes_in_order_and_is_bounded():
    begun = []

    def make(item):
        begun.append(item)
        return item * item

    found = ahead(make, range(20), depth=3)
    assert [next(found), next(found)] == [0, 1]
    time.sleep(0.05)
    assert begun == list(range(5))
    assert list(found) == [i * i for i in range(2, 20)]


def test_an_error_ahead_comes_where_its_item_would():
    def make(item):
        if item == 2:
            raise ValueError("two")
        return item

    found = ahead(make, range(5), depth=4)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(ValueError, match="two"):
        next(found)


def test_what_is_made_behind_runs_beside_and_comes_in_order():
    with thread() as pool:
        behind = Behind(pool, depth=2)
        gate = threading.Event()
        assert list(behind.put(lambda: gate.wait(5))) == []
        assert list(behind.put(lambda: "second")) == []
        gate.set()
        assert [*behind.put(lambda: "third"), *behind.rest()] == [True, "second", "third"]


def test_more_than_the_depth_waits_for_the_first():
    with thread() as pool:
        behind = Behind(pool, depth=1)
        assert list(behind.put(lambda: time.sleep(0.05) or 1)) == []
        assert list(behind.put(lambda: time.sleep(0.05) or 2)) == [1]
        assert list(behind.rest()) == [2]


def test_an_error_behind_is_told():
    with thread() as pool:
        behind = Behind(pool, depth=1)
        with pytest.raises(OSError, match="full"):
            [*behind.put(lambda: (_ for _ in ()).throw(OSError("full"))), *behind.rest()]


@pytest.mark.skipif(sys.platform != "linux", reason="a priority is a thread's own on Linux alone")
def test_what_goes_on_beside_the_network_gives_way_to_it():
    with thread() as pool:
        beside = pool.submit(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())).result()
    assert beside == 19
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) < 19
