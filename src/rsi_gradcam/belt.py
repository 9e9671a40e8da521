"""Work that goes on beside the network: photos are read ahead of it, pictures written behind it."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

LAST = 19  # as `nice` counts

Item = TypeVar("Item")
Made = TypeVar("Made")


def give_way() -> None:
    """This thread takes what the network's threads leave, which would wait for each other if one were held up."""
    if sys.platform == "linux":  # where a priority is a thread's own
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LAST)


@contextmanager
def thread() -> Iterator[ThreadPoolExecutor]:
    """One, that drops what it has not begun when the work is broken off."""
    pool = ThreadPoolExecutor(1, initializer=give_way)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def ahead(make: Callable[[Item], Made], items: Iterable[Item], depth: int) -> Iterator[Made]:
    """What is made of each item, in order; up to `depth` are begun before they are asked for."""
    waiting: deque[Future[Made]] = deque()
    with thread() as pool:
        for item in items:
            waiting.append(pool.submit(make, item))
            if len(waiting) > depth:
                yield waiting.popleft().result()
        yield from (each.result() for each in waiting)


class Behind(Generic[Made]):
    """Things made one after the other in a thread; at most `depth` wait, then the one who brings more does."""

    def __init__(self, pool: ThreadPoolExecutor, depth: int) -> None:
        self.pool, self.depth = pool, depth
        self.waiting: deque[Future[Made]] = deque()

    def put(self, make: Callable[[], Made]) -> Iterator[Made]:
        """Takes one more on, and gives what is finished by then."""
        self.waiting.append(self.pool.submit(make))
        while self.waiting and (len(self.waiting) > self.depth or self.waiting[0].done()):
            yield self.waiting.popleft().result()

    def rest(self) -> Iterator[Made]:
        while self.waiting:
            yield self.waiting.popleft().result()
