"""What every request passes before Gradio sees it: whence and where to, its size, and what the browser may load."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rsi_gradcam.web.admission import Admission
from rsi_gradcam.web.limits import BODY_BYTES, STORED_BYTES, UPLOAD_BYTES

LOG = logging.getLogger(__name__)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Gradio's frontend compiles its templates and styles as it runs, so that inline code must be allowed.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)


class TooLarge(Exception):  # noqa: N818 - reads as the fact it states
    """A body beyond its limit."""


class Guard:
    """ASGI middleware. Bodies are counted as they come, since a length can be left out or be a lie."""

    def __init__(self, app: App, admission: Admission) -> None:
        self.app = app
        self.admission = admission

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"])
        why = self.admission.refusal(path, scope["headers"])
        if why is not None:
            await refuse(send, 403, why)
            return
        if is_upload(path) and stored(self.admission.folder) > STORED_BYTES:
            await refuse(send, 507, b"too much was uploaded within the hour: come again later")
            return
        await self.counted(scope, receive, send, limit_of(path))

    async def counted(self, scope: Scope, receive: Receive, send: Send, limit: int) -> None:
        taken, answering = 0, False

        async def count() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit:
                raise TooLarge
            return message

        async def answer(message: Message) -> None:
            nonlocal answering
            if message["type"] == "http.response.start":
                answering = True
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
                if taken > limit:  # whoever read the body has made something of its own of that
                    message["status"] = 413
            await send(message)

        try:
            await self.app(scope, count, answer)
        except TooLarge:
            if not answering:
                await refuse(send, 413, f"more than {limit} bytes".encode())
        except Exception as error:  # what is sent can be such that Gradio stumbles over it
            LOG.error("%s could not be answered: %s: %s", scope["path"][:80], type(error).__name__, error)
            if not answering:
                await refuse(send, 400, b"this could not be understood")


def limit_of(path: str) -> int:
    """An upload may be a whole photo, with what its form needs around it."""
    return UPLOAD_BYTES + BODY_BYTES if is_upload(path) else BODY_BYTES


def is_upload(path: str) -> bool:
    return path.rstrip("/").endswith("/upload")


def stored(folder: Path) -> int:
    """Bytes; a file may be gone before it is counted."""
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


async def refuse(send: Send, status: int, why: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(why)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why})
