from __future__ import annotations

import importlib.util
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

if importlib.util.find_spec("gradio") is None:
    pytest.skip("the page needs Gradio", allow_module_level=True)

pytest.importorskip("pyarrow", reason="evaluations are Parquet")

from tests.reporting.stores import with_photos  # needs the extra


@pytest.fixture(scope="session")
def sample() -> Path:
    skimage = pytest.importorskip("skimage")
    return Path(skimage.__file__).parent / "data"


@dataclass(frozen=True)
class Served:
    """A page as a user would open it, at a free port."""

    address: str
    store: Path  # the evaluation that it shows
    log: Path  # what it said
    outside: Path  # what it tried to reach beyond this machine


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With the built-in network, an evaluation, and all ways out barred."""
    folder = tmp_path_factory.mktemp("page")
    made = Served(f"http://127.0.0.1:{free_port()}", folder / "mosaics", folder / "log", folder / "outside")
    with_photos(made.store, 4)
    arguments = ["app", "--no-browser", "--port", made.address.rsplit(":", 1)[1], "--store", made.store]
    command = [sys.executable, Path(__file__).parent / "monitored.py", made.outside, *arguments]
    with made.log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out, cwd=folder) as server:
        try:
            wait_for(f"{made.address}/", server, made.log)
            yield made
        finally:
            server.terminate()
            server.wait(20)
    assert not made.outside.exists(), made.outside.read_text()


@pytest.fixture(scope="session")
def address(served: Served) -> str:
    return served.address


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 240
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            if httpx.get(address).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    pytest.fail(f"the page did not open: {log.read_text()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """A real browser, headless and with a profile of its own."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser is driven by Playwright")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine: apt-get install chromium")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    camera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=[*flags, *camera])
        yield browser
        browser.close()
