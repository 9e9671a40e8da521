"""What is kept of each user: their photo, the network's answer to it, and their last runs."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

import torch
from torch import Tensor

from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.limits import KEPT, SESSIONS
from rsi_gradcam.web.networks import Loaded
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.run import Run

LIKELIEST = 10


@dataclass
class Session:
    """Whoever knows the token is the user: it is theirs alone, and cannot be guessed."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    loaded: Loaded | None = None
    photo: Photo | None = None
    x: Tensor | None = None
    predictions: tuple[tuple[int, float], ...] = ()
    classes: tuple[int, ...] = ()
    fault: str = ""
    asked: int = 0  # how many photos were asked for: only the last one counts
    run: Run | None = None
    kept: OrderedDict[tuple[str, Choice], Run] = field(default_factory=OrderedDict)

    def show(self, photo: Photo, loaded: Loaded) -> None:
        """A photo comes before the network, and its likeliest class is chosen; unless another came meanwhile."""
        self.asked += 1
        mine = self.asked
        network = loaded.network
        x = network.preprocess(photo.image())[None]
        with torch.inference_mode():
            p = network.network(x).softmax(1)[0]
        values, indices = p.topk(min(LIKELIEST, len(p)))
        if mine == self.asked:
            self.halt()
            self.photo, self.loaded, self.x, self.run, self.fault = photo, loaded, x, None, ""
            self.predictions = tuple(zip(indices.tolist(), values.tolist(), strict=True))
            self.classes = (self.predictions[0][0],)

    def clear(self, fault: str = "") -> None:
        """No photo, and why."""
        self.asked += 1
        self.halt()
        self.photo, self.x, self.run, self.predictions, self.classes, self.fault = None, None, None, (), (), fault

    def ask(self, choice: Choice) -> Run | None:
        """The run for this choice: one that is finished already, or a new one, and the one before is stopped."""
        self.halt()
        if self.photo is None or self.loaded is None or self.x is None:
            return None
        key = (self.photo.identity, choice.check())
        run = self.kept.get(key)
        if run is None or run.state != "done":
            run = self.kept[key] = Run(choice, self.loaded, self.photo, self.x)
        self.kept.move_to_end(key)
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        self.run = run
        return run

    def halt(self) -> None:
        if self.run is not None:
            self.run.stop()


@dataclass
class Sessions:
    """By the name that Gradio has for a user's page. When there are too many, the one longest unused goes."""

    _by_page: OrderedDict[str, Session] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def of(self, page: str) -> Session:
        with self._lock:
            session = self._by_page.setdefault(page, Session())
            self._by_page.move_to_end(page)
            while len(self._by_page) > SESSIONS:
                _, oldest = self._by_page.popitem(last=False)
                oldest.halt()
            return session

    def by_token(self, token: object) -> Session | None:
        given = str(token).encode()
        with self._lock:
            known = [each for each in self._by_page.values() if secrets.compare_digest(each.token.encode(), given)]
        return known[0] if known else None

    def drop(self, page: str) -> None:
        with self._lock:
            session = self._by_page.pop(page, None)
        if session is not None:
            session.halt()
