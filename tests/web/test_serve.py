"""How the page is opened, and how it ends: the command line as a user has it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from rsi_gradcam.cli.faults import WRONG_USE
from tests.cli.test_wrong_use import without
from tests.web.conftest import free_port, wait_for


def test_a_port_in_use_is_said_in_a_line(command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        found = command("app", "--no-browser", "--port", port)
    assert found.exit_code == WRONG_USE
    (line,) = found.stderr.strip().splitlines()
    assert line.startswith("error: ")
    assert f":{port}" in line


@pytest.mark.parametrize("port", ["0", "70000", "-1", "http"])
def test_a_number_that_is_no_port_is_wrong_use(port, command):
    found = command("app", "--port", port)
    assert found.exit_code == WRONG_USE
    assert "port" in found.stderr


@pytest.mark.parametrize("make", ["missing", "empty", "file"])
def test_a_folder_without_an_evaluation_is_said_in_a_line(tmp_path, command, make):
    store = tmp_path / "store"
    if make == "empty":
        store.mkdir()
    if make == "file":
        store.write_text("no store")
    found = command("app", "--no-browser", "--store", store)
    assert found.exit_code != 0
    (line,) = found.stderr.strip().splitlines()
    assert line.startswith("error: ")
    assert "store" in line


@pytest.mark.parametrize(
    ("module", "extra", "more"), [("gradio", "app", ()), ("pyarrow", "evaluation", ("--store", "store"))]
)
def test_an_extra_that_is_missing_is_named(tmp_path, monkeypatch, command, module, extra, more):
    for name in [
        each for each in sys.modules if each.startswith(("rsi_gradcam.web.", "rsi_gradcam.evaluation.store"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "store").mkdir()
    without(module)(monkeypatch)
    found = command("app", "--no-browser", *more)
    assert found.exit_code != 0
    (line,) = found.stderr.strip().splitlines()
    assert f"rsi-gradcam[{extra}]" in line


@pytest.mark.parametrize(
    "arguments", [("--model", "no_such_net"), ("--host", "999.1.1.1"), ("--host", "no.such.host")]
)
def test_what_cannot_be_opened_is_said_in_a_line(arguments, command):
    found = command("app", "--no-browser", "--port", free_port(), *arguments)
    assert found.exit_code != 0
    (line,) = found.stderr.strip().splitlines()
    assert line.startswith("error: ")
    assert arguments[1] in line


@pytest.fixture
def command(monkeypatch):
    from typer.testing import CliRunner

    from rsi_gradcam.cli.application import app as program

    for name in ("GRADIO_TEMP_DIR", "GRADIO_ANALYTICS_ENABLED", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
        monkeypatch.setenv(name, os.environ.get(name, ""))
    before = signal.getsignal(signal.SIGTERM)
    yield lambda *arguments: CliRunner().invoke(program, list(map(str, arguments)))
    signal.signal(signal.SIGTERM, before)


def heeding_ctrl_c():
    """As at a terminal, also where these tests run in the background and Ctrl-C was made to be ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_and_takes_the_uploads_along(tmp_path, how):
    port = free_port()
    command = [sys.executable, "-m", "rsi_gradcam.cli", "app", "--no-browser", "--port", str(port)]
    log = tmp_path / "log"
    with (
        log.open("wb") as out,
        subprocess.Popen(
            command,
            stdout=out,
            stderr=out,
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path)},
            preexec_fn=heeding_ctrl_c,  # noqa: PLW1509 - there is no other thread yet that could hold a lock
        ) as server,
    ):
        try:
            wait_for(f"http://127.0.0.1:{port}/", server, log)
            sent = httpx.post(f"http://127.0.0.1:{port}/gradio_api/upload", files={"files": ("a.png", b"abc")})
            assert Path(sent.json()[0]).is_relative_to(tmp_path)
            server.send_signal(how)
            code = server.wait(30)
        finally:
            server.kill()
    said = log.read_text()
    assert "Traceback" not in said
    assert code in (0, 130) if how == signal.SIGINT else code in (0, 143, -signal.SIGTERM)
    assert said.count("\n") <= 2
    assert list(tmp_path.glob("rsi-gradcam-*")) == []
