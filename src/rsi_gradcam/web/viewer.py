"""The part of the page that is our own: one custom component of Gradio's, with its scripts beside it."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

from rsi_gradcam.figures.colours import COLOUR_MAPS, DEFAULT, table
from rsi_gradcam.images import read_photo
from rsi_gradcam.web.photo import data_url
from rsi_gradcam.web.samples import title

THUMBNAIL = 160  # pixels, the longer side
STATIC = Path(__file__).parent / "static"
SCRIPTS = ("maths", "drawing", "predictions", "stage", "grid", "panels", "viewer", "store", "samples")
# What is to be told apart by everyone comes first.
COLOURS = (DEFAULT, *(name for name in COLOUR_MAPS if name not in (DEFAULT, "turbo", "jet")), "turbo", "jet")

START = """
const colours = %s, tables = %s;
window.rsi.start(element, {trigger, server, upload, colours, tables}, props, watch);
// It tells of: 'chosen', 'dropped'
"""

STORES = """
const names = %s;
window.rsi.startStore(element, {trigger, server, names});
// It tells of: 'opened'
"""

SAMPLES = """
window.rsi.startSamples(element, {trigger, samples: %s});
// It tells of: 'picked'
"""


def scripts(names: tuple[str, ...] = SCRIPTS) -> str:
    """All in one, for the page's head: nothing is fetched for it."""
    return "<script>" + "\n".join((STATIC / f"{name}.js").read_text("utf-8") for name in names) + "</script>"


def style() -> str:
    return (STATIC / "page.css").read_text("utf-8")


def explorer(server: list[Callable[..., Any]]) -> gr.HTML:
    """Its value is a state as JSON text; it tells of the classes that were chosen."""
    tables = {name: base64.b64encode(table(name).tobytes()).decode() for name in COLOURS}
    return gr.HTML(
        value="",
        html_template='<div class="rsi-explorer"></div>',
        js_on_load=START % (json.dumps(COLOURS), json.dumps(tables)),
        head=scripts(),
        apply_default_css=False,
        server_functions=[plain(each) for each in server],
        elem_id="rsi-viewer",
        label="Maps",
    )


def stores(names: list[str], server: list[Callable[..., Any]]) -> gr.HTML:
    """It tells of a photo that is to be opened in the explorer."""
    return gr.HTML(
        html_template='<div class="rsi-stores"></div>',
        js_on_load=STORES % json.dumps(names),
        head=scripts(),
        apply_default_css=False,
        server_functions=[plain(each) for each in server],
        elem_id="rsi-store",
        label="Evaluation",
    )


def sample_list(found: list[Path]) -> gr.HTML:
    """It tells of a sample that is to be the photo. Gradio's own list has buttons without names."""
    shown = [{"name": each.name, "title": title(each), "url": thumbnail(each)} for each in found]
    return gr.HTML(
        html_template='<div class="rsi-samples"></div>',
        js_on_load=SAMPLES % json.dumps(shown),
        head=scripts(),
        apply_default_css=False,
        elem_id="rsi-samples",
        label="Samples",
    )


def thumbnail(photo: Path) -> str:
    return data_url(read_photo(photo), THUMBNAIL)


def plain(method: Callable[..., Any]) -> Callable[..., Any]:
    """A function, since Gradio marks what it calls, and a method cannot be marked."""

    def called(asked: Any) -> Any:
        return method(asked if isinstance(asked, dict) else {})

    called.__name__ = method.__name__
    return called


def place_of_predictions() -> gr.HTML:
    return gr.HTML(
        html_template='<div id="rsi-predictions"></div>',
        elem_id="rsi-seen",
        js_on_load=None,
        apply_default_css=False,
        label="Predictions",
    )
