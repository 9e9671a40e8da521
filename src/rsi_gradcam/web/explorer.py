"""What the page's events do: one method for each. Every answer is the user's whole state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rsi_gradcam.errors import ConfigurationError, RSIGradCAMError
from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.download import Look, take
from rsi_gradcam.web.networks import Loaded, Networks
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.run import Run
from rsi_gradcam.web.session import Session, Sessions
from rsi_gradcam.web.telling import Told, pulled, state

PAUSE = 0.05  # seconds between two states that are pushed
PATIENCE = 0.5  # seconds until a state is pushed though nothing is new


@dataclass
class Explorer:
    """The networks and the users of one page."""

    networks: Networks
    sessions: Sessions = field(default_factory=Sessions)

    def loaded(self, model: str) -> Loaded:
        if model not in self.networks.names():
            raise ConfigurationError(f"{model[:60]!r} is no network of this page: choose one from the list")
        return self.networks.get(model)

    def show(self, session: Session, given: tuple[str, str] | None, model: str) -> str:
        """The network's answer to a new photo, or why there is none."""
        session.halt()
        try:
            loaded = self.loaded(model)
            if given is None:
                session.photo, session.run, session.predictions, session.fault = None, None, (), ""
            else:
                session.show(Photo.read(Path(given[0]), given[1]), loaded)
        except (RSIGradCAMError, OSError) as error:
            session.photo, session.run, session.predictions = None, None, ()
            session.fault = plain(error)
        return said(session)

    def change(self, session: Session, model: str) -> str:
        """The same photo before another network."""
        session.halt()
        try:
            loaded = self.loaded(model)
            if session.photo is not None:
                session.show(session.photo, loaded)
        except RSIGradCAMError as error:
            return said(session, plain(error))
        return said(session)

    def choose(self, session: Session, classes: object) -> None:
        """One class to explain, or two to compare."""
        count = 0 if session.loaded is None else len(session.loaded.network.categories)
        given = classes if isinstance(classes, list) else []
        known = [each for each in given if isinstance(each, int) and 0 <= each < count]
        if known:
            session.classes = tuple(dict.fromkeys(known))[:2]

    def explain(
        self, session: Session, methods: Sequence[str], layers: Sequence[str], baseline: str, exactness: str
    ) -> Iterator[str]:
        """States, until all maps are made or the user wants something else."""
        if session.photo is None or session.loaded is None:
            yield said(session)
            return
        loaded = session.loaded
        known = {path for _, path in loaded.layers}
        wanted = tuple(layer for layer in layers if layer in known) or (loaded.network.default_layer,)
        choice = Choice(loaded.name, tuple(methods), wanted, session.classes, baseline, exactness)
        try:
            run = session.ask(choice)
        except RSIGradCAMError as error:
            session.run = None
            yield said(session, plain(error))
            return
        if run is not None:
            yield from self.follow(session, run)

    def follow(self, session: Session, run: Run) -> Iterator[str]:
        if run.state == "waiting":
            run.start()
        try:
            while not run.over and session.run is run:
                yield said(session)
                run.news.wait(PATIENCE)
                run.stopping.wait(PAUSE)
                run.news.clear()
            yield said(session)
        finally:
            if not run.over:
                run.stop()

    # What the browser asks for directly. Whoever has no token gets nothing.

    def pull(self, asked: Mapping[str, Any]) -> Told:
        session = self.sessions.by_token(asked.get("token"))
        have = asked.get("have")
        if session is None:
            return {"photo": None, "run": None, "cells": []}
        return pulled(session, have if isinstance(have, dict) else {}, asked.get("photo"))

    def stop(self, asked: Mapping[str, Any]) -> bool:
        session = self.sessions.by_token(asked.get("token"))
        if session is not None:
            session.halt()
        return session is not None

    def take(self, asked: Mapping[str, Any]) -> Told:
        session = self.sessions.by_token(asked.get("token"))
        if session is None or session.run is None:
            return {"fault": "there is no map to take away yet"}
        look = asked.get("look")
        try:
            shown = Look.of(look if isinstance(look, dict) else {}, asked.get("box"))
            return take(session.run, str(asked.get("kind")), str(asked.get("key")), shown)
        except RSIGradCAMError as error:
            return {"fault": plain(error)}


def said(session: Session, notice: str = "") -> str:
    return json.dumps(state(session, notice), allow_nan=False)


def plain(error: Exception) -> str:
    """One line, without this machine's folders."""
    if isinstance(error, OSError):
        return f"the photo cannot be read ({error.strerror or type(error).__name__})"
    return " ".join(str(error).split())[:300]
