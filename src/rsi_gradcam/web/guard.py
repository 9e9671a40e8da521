"""What every request passes before Gradio sees it: size, address, and what the browser may load."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from rsi_gradcam.web.limits import BODY_BYTES, UPLOAD_BYTES

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
ELSEWHERE = ("/file=http:", "/file=https:", "/proxy=", "/file/http:", "/file/https:")  # Gradio would fetch these


class TooLarge(Exception):  # noqa: N818 - reads as the fact it states
    """A body beyond its limit."""


class Guard:
    """ASGI middleware. Bodies are counted as they come, since a length can be left out or be a lie."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = str(scope["path"])
        if any(part in path for part in ELSEWHERE):
            await refuse(send, 403, b"this page fetches nothing from elsewhere")
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
            await send(message)

        try:
            await self.app(scope, count, answer)
        except TooLarge:
            if not answering:
                await refuse(send, 413, f"more than {limit} bytes".encode())


def limit_of(path: str) -> int:
    """An upload may be a whole photo, with what its form needs around it."""
    return UPLOAD_BYTES + BODY_BYTES if path.rstrip("/").endswith("/upload") else BODY_BYTES


async def refuse(send: Send, status: int, why: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(why)).encode()), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": why})
