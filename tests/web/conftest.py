from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

if importlib.util.find_spec("gradio") is None:
    pytest.skip("the page needs Gradio", allow_module_level=True)


@pytest.fixture(scope="session")
def sample() -> Path:
    skimage = pytest.importorskip("skimage")
    return Path(skimage.__file__).parent / "data"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page with the built-in network, served as a user would, at a free port; or the one that is said to run."""
    if "RSI_GRADCAM_PAGE" in os.environ:
        yield os.environ["RSI_GRADCAM_PAGE"]
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("page") / "log"
    command = [sys.executable, "-m", "rsi_gradcam.cli", "app", "--no-browser", "--port", str(port)]
    with log.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as server:
        try:
            wait_for(f"http://127.0.0.1:{port}/", server, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)


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
