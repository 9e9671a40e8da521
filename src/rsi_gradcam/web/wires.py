"""Which event does what. Predictions and explanations wait in queues of their own; stopping waits in none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.utils import get_upload_folder

from rsi_gradcam.web.explorer import Explorer, said
from rsi_gradcam.web.limits import AT_ONCE
from rsi_gradcam.web.samples import copied
from rsi_gradcam.web.session import Session

# An event that comes while one like it is under way is sent as well: the server knows which is the last.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", "trigger_mode": "multiple"}

EXPLORE = "explore"  # the first tab


@dataclass
class Wires:
    explorer: Explorer
    viewer: gr.HTML
    asked: list[Any]  # the components with methods, layers, baseline, exactness

    def connect(self, blocks: gr.Blocks, photo: Any, model: Any, layers: Any) -> None:
        predicting = {**QUIET, "concurrency_limit": AT_ONCE, "concurrency_id": "predicting"}
        shown = photo.change(self.show, [photo, model], self.viewer, **predicting)
        changed = model.input(self.change, [model], [self.viewer, layers], **predicting)
        chosen = self.viewer.chosen(self.choose, None, self.viewer, queue=False, **QUIET)
        self.viewer.dropped(self.drop, None, photo, queue=False, **QUIET)
        halted = gr.on([each.input for each in self.asked], self.halt, None, None, queue=False, **QUIET)
        for event in (shown, changed, chosen, halted):
            event.then(
                self.explain, self.asked, self.viewer, concurrency_limit=AT_ONCE, concurrency_id="explaining", **QUIET
            )
        blocks.load(self.greet, None, self.viewer, queue=False, **QUIET)
        blocks.unload(self.leave)

    def connect_stores(self, evaluation: gr.HTML, photo: Any, tabs: Any) -> None:
        evaluation.opened(self.open, None, [photo, tabs], queue=False, **QUIET)

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

    def choose(self, request: gr.Request, event: gr.EventData) -> Any:
        session = self.session(request)
        session.halt()
        asked = told(event)
        self.explorer.choose(session, asked.get("classes"), str(asked.get("name", "")), asked.get("beside") is True)
        return said(session)

    def drop(self, event: gr.EventData) -> Any:
        """A file that the page has sent up: it becomes the photo, if it is one of those."""
        path = Path(str(told(event).get("path", "")))
        return str(path) if path.resolve().is_relative_to(Path(get_upload_folder()).resolve()) else gr.skip()

    def pick(self, event: gr.EventData) -> Any:
        """A sample becomes the photo. Never an update: Gradio would make its input anew, without our limits."""
        path = copied(told(event).get("name"), Path(get_upload_folder()))
        return gr.skip() if path is None else str(path)

    def open(self, event: gr.EventData) -> Any:
        """A photo of an evaluation becomes the explorer's."""
        asked = told(event)
        path = self.explorer.photo_of(asked.get("store"), str(asked.get("name", "")), Path(get_upload_folder()))
        return (gr.skip(), gr.skip()) if path is None else (str(path), gr.Tabs(selected=EXPLORE))

    def explain(
        self, methods: list[str], layers: list[str], baseline: str, exactness: str, request: gr.Request
    ) -> Iterator[str]:
        yield from self.explorer.explain(self.session(request), methods, layers, baseline, exactness)


def told(event: gr.EventData) -> dict[str, Any]:
    """What the page says of an event, if it is what our page says."""
    return event._data if isinstance(event._data, dict) else {}
