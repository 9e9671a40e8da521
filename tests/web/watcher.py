"""A page in the browser, and everything on it that must not be: errors in the console, requests to elsewhere."""

from __future__ import annotations

import base64
import io
import mimetypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from PIL import Image

LOCAL = ("data:", "blob:", "about:", "chrome-extension:")
DONE = "rsi.viewer.state.run?.state === 'done' && [...rsi.viewer.cells.values()].every((c) => c.done)"
ALL = f"{DONE} && Object.keys(rsi.viewer.state.run.cells).length === rsi.viewer.cells.size"
PATIENCE = int(os.environ.get("RSI_GRADCAM_PATIENCE", "60")) * 1000  # of a busy machine


@contextmanager
def watched(chromium: Any, address: str, **how: Any) -> Iterator[Any]:
    """The page, opened; on the way out it is seen to have kept quiet."""
    wrong: list[str] = []
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **how})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: None if is_local(request.url, address) else wrong.append(request.url))
    page.goto(address)
    page.wait_for_selector(".rsi-empty")
    try:
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def is_local(url: str, address: str) -> bool:
    return url.startswith((address + "/", *LOCAL))


def drop(page: Any, path: Any) -> None:
    """A file is let go over the page."""
    data = base64.b64encode(path.read_bytes()).decode()
    page.evaluate(
        """([data, name, type]) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), files = new DataTransfer();
            files.items.add(new File([bytes], name, {type}));
            const how = {dataTransfer: files, bubbles: true, cancelable: true};
            document.body.dispatchEvent(new DragEvent("drop", how));
        }""",
        [data, path.name, mimetypes.guess_type(path.name)[0] or ""],
    )


def paste(page: Any, path: Any) -> None:
    page.evaluate(
        """([data, name]) => {
            const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)), files = new DataTransfer();
            files.items.add(new File([bytes], name, {type: "image/png"}));
            document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: files, bubbles: true}));
        }""",
        [base64.b64encode(path.read_bytes()).decode(), path.name],
    )


def wait(page: Any, condition: str = ALL) -> None:
    page.wait_for_function(f"() => Boolean({condition})")


def choose(page: Any, where: str, *titles: str) -> None:
    """Takes entries out of one of Gradio's lists, as with the keyboard."""
    field = page.locator(f"#{where} input").first
    field.click()
    for title in titles:
        field.fill(title)
        page.get_by_role("option").filter(has_text=title).first.wait_for()
        page.keyboard.press("Enter")
    field.blur()


def maps(page: Any) -> dict[str, Any]:
    """What the browser was given, by name, and what it shows of it."""
    found: dict[str, Any] = page.evaluate(
        "() => Object.fromEntries([...rsi.viewer.cells].map(([key, cell]) =>"
        "[key, {...cell, raw: Array.from(cell.raw), forming: null}]))"
    )
    return found


def picture(page: Any, canvas: str) -> np.ndarray:
    """What is on a canvas, (height, width, 3)."""
    url = page.evaluate(f"{canvas}.toDataURL()")
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.split(",")[1]))).convert("RGB"))


def remove(page: Any, where: str, title: str) -> None:
    """Takes an entry out of one of Gradio's lists of several."""
    page.locator(f"#{where} .token").filter(has_text=title).locator(".token-remove").click()
