"""Which requests are answered at all: those of our own page, to the addresses that it needs."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

# Gradio has many more: files by address, proxies, recordings, histories, code by chat. None of them is needed.
ANSWERED = frozenset({
    "/", "/config", "/theme.css", "/favicon.ico", "/robots.txt", "/manifest.json",
    *(f"/gradio_api/{name}" for name in (
        "app_id", "cancel", "component_server", "heartbeat", "queue/data", "queue/join", "reset", "run/predict",
        "startup-events", "theme.css", "upload", "upload_progress",
    )),
})  # fmt: skip
BELOW = ("/assets/", "/static/", "/svelte/", "/gradio_api/heartbeat/")
FILE = "/gradio_api/file="

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True)
class Admission:
    """`local`: the page is for this machine alone. `folder`: the only one whose files are shown."""

    local: bool
    folder: Path

    def refusal(self, path: str, headers: Headers) -> bytes | None:
        """Why a request is not answered; None if it is."""
        hosts = values(headers, b"host")
        if self.local and not all(is_loopback(host) for host in hosts):
            return b"this page answers to localhost alone"  # or a site could rebind its name to this machine
        known = {*hosts, *values(headers, b"x-forwarded-host")}
        if any(urlsplit(origin).netloc not in known for origin in values(headers, b"origin")):
            return b"this page takes nothing from other sites"
        if not self.answers(path):
            return b"this page has no such address"
        return None

    def answers(self, path: str) -> bool:
        if path.startswith(FILE):
            return inside(path[len(FILE) :], self.folder)
        plain = path.rstrip("/") or "/"
        return plain in ANSWERED or (plain.startswith(BELOW) and ".." not in plain)


def inside(name: str, folder: Path) -> bool:
    try:
        return Path(name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):  # a name too long, or with a nul
        return False


def values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1").lower() for key, value in headers if key.lower() == name]


def is_loopback(host: str) -> bool:
    """Of a Host header, or of the address that the page is opened at."""
    try:
        name = urlsplit(f"//{host}").hostname or host
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
