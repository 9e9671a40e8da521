"""Where a photo comes in: dropped, pasted, from a webcam or from a list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import gradio as gr

from rsi_gradcam.errors import ImageError
from rsi_gradcam.web.naming import plain_name

Given = tuple[str, str]  # the file's path, and what the user calls it


def photo_input() -> gr.Image:
    """Gradio's image input, but what came is handed on as a file: it is decoded under our own limits.

    The object is changed, since Gradio would write a file of types beside the source of a class of our own.
    """
    made = gr.Image(
        label="Photo",
        type="filepath",
        sources=["upload", "clipboard", "webcam"],
        height=280,
        elem_id="rsi-photo",
        buttons=["fullscreen"],
    )
    made.preprocess = given
    made.async_move_resource_to_block_cache = only_files(made.async_move_resource_to_block_cache)
    return made


def given(payload: Any) -> Given | None:
    if payload is None or payload.path is None:
        return None
    return payload.path, plain_name(payload.orig_name or "photo")


def only_files(move: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    """Gradio would fetch an address that is given instead of a file."""

    async def moved(path: Any) -> Any:
        if "://" in str(path):
            raise ImageError("the page takes files, not addresses: save the photo first")
        return await move(path)

    return moved
