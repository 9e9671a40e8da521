"""What the page's events do: one method for each. Every answer is the user's whole state."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rsi_gradcam.errors import ConfigurationError, RSIGradCAMError
from rsi_gradcam.web import study_telling
from rsi_gradcam.web.choice import Choice
from rsi_gradcam.web.download import Look, take
from rsi_gradcam.web.gallery import Wanted, gallery, photo_of
from rsi_gradcam.web.naming import plain_name
from rsi_gradcam.web.networks import Loaded, Networks
from rsi_gradcam.web.photo import Photo
from rsi_gradcam.web.run import Run
from rsi_gradcam.web.session import Session, Sessions
from rsi_gradcam.web.stores import Stores
from rsi_gradcam.web.telling import Told, pulled, state

if TYPE_CHECKING:
    from rsi_gradcam.reporting.study import Study

PAUSE = 0.05  # seconds between two states that are pushed
PATIENCE = 0.5  # seconds until a state is pushed though nothing is new


@dataclass
class Explorer:
    """The networks and the users of one page."""

    networks: Networks
    sessions: Sessions = field(default_factory=Sessions)
    stores: Stores = field(default_factory=Stores)

    def loaded(self, model: str) -> Loaded:
        if model not in self.networks.names():
            raise ConfigurationError(f"{model[:60]!r} is no network of this page: choose one from the list")
        return self.networks.get(model)

    def show(self, session: Session, given: tuple[str, str] | None, model: str) -> str:
        """The network's answer to a new photo, or why there is none."""
        session.halt()
        if given is None:
            session.clear()
            return said(session)
        try:
            session.show(Photo.read(Path(given[0]), given[1]), self.loaded(model))
        except (RSIGradCAMError, OSError) as error:
            session.clear(plain(error))
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

    def choose(self, session: Session, classes: object, name: str = "", beside: bool = False) -> None:
        """One class to explain, or two to compare; the last of them perhaps by its name."""
        session.fault = ""
        if session.loaded is None:
            return
        network = session.loaded.network
        given = classes if isinstance(classes, list) else []
        known = [each for each in given if type(each) is int and 0 <= each < len(network.categories)]
        if name:
            try:
                known = [*(known[:1] if beside else ()), network.index_of(name[:80])]
            except RSIGradCAMError as error:
                session.fault = plain(error)
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

    def study(self, asked: Mapping[str, Any]) -> Told:
        return self.of_store(asked, study_telling.told)

    def gallery(self, asked: Mapping[str, Any]) -> Told:
        return self.of_store(asked, lambda study: gallery(study, Wanted.of_page(asked)))

    def of_store(self, asked: Mapping[str, Any], tell: Callable[[Study], Told]) -> Told:
        if self.sessions.by_token(asked.get("token")) is None:
            return {"fault": "this page is no longer known here: load it again"}
        try:
            with self.stores.reading:
                return tell(self.stores.study(asked.get("store")))
        except (RSIGradCAMError, OSError) as error:
            return {"fault": plain(error)}

    def photo_of(self, store: object, name: str, folder: Path) -> Path | None:
        """A photo of an evaluation as a file of our own; None where there is none."""
        try:
            with self.stores.reading:
                image = photo_of(self.stores.study(store), name)
        except (RSIGradCAMError, OSError):
            return None
        if image is None:
            return None
        path = folder / secrets.token_hex(16) / f"{plain_name(name).rsplit('.', 1)[0]}.png"
        path.parent.mkdir(parents=True)
        image.save(path, compress_level=1)
        return path


def said(session: Session, notice: str = "") -> str:
    return json.dumps(state(session, notice), allow_nan=False)


def plain(error: Exception) -> str:
    """One line, without this machine's folders."""
    if isinstance(error, OSError):
        return f"the photo cannot be read ({error.strerror or type(error).__name__})"
    return " ".join(str(error).split())[:300]
