"""Which event does what. Predictions and explanations wait in queues of their own; stopping waits in none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from rsi_gradcam.web.explorer import Explorer, said
from rsi_gradcam.web.limits import AT_ONCE
from rsi_gradcam.web.session import Session

QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


@dataclass
class Wires:
    explorer: Explorer
    viewer: gr.HTML
    asked: list[Any]  # the components with methods, layers, baseline, exactness

    def connect(self, blocks: gr.Blocks, photo: Any, model: Any, layers: Any) -> None:
        predicting = {**QUIET, "concurrency_limit": AT_ONCE, "concurrency_id": "predicting"}
        shown = photo.change(self.show, [photo, model], self.viewer, **predicting)
        changed = model.input(self.change, [model], [self.viewer, layers], **predicting)
        chosen = self.viewer.chosen(self.choose, None, None, queue=False, **QUIET)
        halted = gr.on([each.input for each in self.asked], self.halt, None, None, queue=False, **QUIET)
        for event in (shown, changed, chosen, halted):
            event.then(
                self.explain, self.asked, self.viewer, concurrency_limit=AT_ONCE, concurrency_id="explaining", **QUIET
            )
        blocks.load(self.greet, None, self.viewer, queue=False, **QUIET)
        blocks.unload(self.leave)

    def session(self, request: gr.Request) -> Session:
        return self.explorer.sessions.of(str(request.session_hash))

    def greet(self, request: gr.Request) -> str:
        return said(self.session(request))

    def leave(self, request: gr.Request) -> None:
        self.explorer.sessions.drop(str(request.session_hash))

    def halt(self, request: gr.Request) -> None:
        self.session(request).halt()

    def show(self, photo: tuple[str, str] | None, model: str, request: gr.Request) -> str:
        return self.explorer.show(self.session(request), photo, model)

    def change(self, model: str, request: gr.Request) -> tuple[str, Any]:
        session = self.session(request)
        told = self.explorer.change(session, model)
        loaded = session.loaded if session.loaded and session.loaded.name == model else None
        if loaded is None and session.photo is None:
            loaded = self.explorer.networks.get(model)
        if loaded is None:
            return told, gr.skip()
        return told, gr.Dropdown(choices=loaded.layers, value=[loaded.network.default_layer])

    def choose(self, request: gr.Request, event: gr.EventData) -> None:
        session = self.session(request)
        session.halt()
        self.explorer.choose(session, getattr(event, "classes", None))

    def explain(
        self, methods: list[str], layers: list[str], baseline: str, exactness: str, request: gr.Request
    ) -> Iterator[str]:
        yield from self.explorer.explain(self.session(request), methods, layers, baseline, exactness)
