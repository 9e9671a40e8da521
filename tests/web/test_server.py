"""What the server answers to somebody who does not use the page, but its addresses."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from rsi_gradcam.web.limits import UPLOAD_BYTES, WAITING
from tests.web.fakes import png
from tests.web.person import Person

SECRETS = ("/etc/passwd", "/proc/self/environ", __file__, str(Path(__file__).parents[2] / "pyproject.toml"))


@pytest.fixture
def person(address):
    with Person(address) as person:
        yield person


@pytest.fixture(scope="module")
def client(address):
    with httpx.Client(base_url=address, timeout=30) as client:
        yield client


def raw(address: str, head: str) -> bytes:
    """A request that no library would send."""
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(head.encode("latin-1"))
        return line.recv(65536)


@pytest.mark.parametrize("secret", SECRETS)
def test_no_file_outside_the_pages_own_folder_is_shown(client, address, served, secret):
    words = Path(secret).read_bytes()[:40] if Path(secret).is_file() else b"\0\0"
    for path in (f"/gradio_api/file={secret}", f"/gradio_api/file/{secret}", f"/static/{secret}", f"/assets/{secret}",
                 f"/gradio_api/file=%2e%2e/%2e%2e{secret}", f"/assets/..%2f..%2f..%2f..%2f..{secret}",
                 f"/svelte/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e{secret}", f"/static/....//....//{secret}"):  # fmt: skip
        found = client.get(path)
        assert found.status_code in (403, 404), path
        assert words not in found.content
        host = address.removeprefix("http://")
        answer = raw(address, f"GET {path.replace('%2e', '.')} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        assert answer.split(b" ")[1] in (b"400", b"403", b"404"), answer[:80]
    store = client.get(f"/gradio_api/file={served.store / 'manifest.json'}")
    assert store.status_code == 403


@pytest.mark.parametrize("path", SECRETS)
def test_a_path_in_an_event_is_no_photo(person, path):
    file = {"path": path, "orig_name": "photo.png", "meta": {"_type": "gradio.FileData"}}
    said = person.ask("show", file, "efficientnet_lite0")
    assert not said.get("photo")
    assert not said.get("predictions")
    person.ask("drop", told={"path": path})
    assert person.ask("greet")["photo"] is None


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "/etc/passwd", "pyproject.toml", 3, None, {"a": 1}, "x" * 900]
)
def test_a_sample_is_one_of_the_list(person, name):
    person.ask("pick", told={"name": name})
    assert person.ask("greet")["photo"] is None


def test_an_address_is_not_fetched(person, served):
    for url in ("http://10.1.2.3/a.png", "https://example.org/a.png", "file:///etc/passwd"):
        file = {"path": url, "url": url, "meta": {"_type": "gradio.FileData"}}
        assert not person.ask("show", file, "efficientnet_lite0").get("photo")
    assert not served.outside.exists()


def test_a_page_elsewhere_that_was_rebound_to_here_gets_nothing(client):
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        assert client.get("/config", headers=headers).status_code == 403
        sent = client.post("/gradio_api/upload", files={"files": ("a.png", png())}, headers=headers)
        assert sent.status_code == 403
    assert client.get("/config").status_code == 200


def test_it_listens_on_this_machine_alone(address):
    port = int(address.rsplit(":", 1)[1])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))  # nothing is sent
        except OSError:
            pytest.skip("this machine has no other address")
        other = probe.getsockname()[0]
    with pytest.raises(OSError, match=r".*"), socket.create_connection((other, port), timeout=5):
        pass


def test_the_token_of_someone_else_cannot_be_guessed_and_without_it_nothing_is_told(address, person):
    person.show(png())
    person.explain(["grad_cam"], ["bn2"], "10 steps")
    assert len(person.call("pull", have={}, photo="")["cells"]) == 1
    with Person(address) as stranger:
        assert stranger.state["token"] != person.state["token"]
        assert stranger.state["photo"] is None
        for token in ("", person.page, person.state["run"]["id"], person.state["token"][:-1], None, 0):
            told = stranger.call("pull", token=token, have={}, photo="")
            assert told == {"photo": None, "run": None, "cells": []}
            assert "fault" in stranger.call("take", token=token, kind="npz", key="")
            assert stranger.call("stop", token=token) is False
            assert "fault" in stranger.call("study", component="rsi-store", token=token, store=0)
        assert stranger.call("pull", have={}, photo="")["cells"] == []
    assert person.call("pull", have={}, photo="")["cells"][0]["done"]


def test_an_upload_that_is_too_large_is_refused(client, address):
    large = b"\x89PNG" + bytes(UPLOAD_BYTES + 2**20)
    found = client.post("/gradio_api/upload", files={"files": ("large.png", large)})
    assert found.status_code == 413
    with Person(address) as person:
        assert person.show(png())["predictions"]


def test_a_body_that_is_too_large_is_refused(client):
    body = {"data": ["x" * 2**21], "fn_index": 0, "session_hash": "abc"}
    assert client.post("/gradio_api/queue/join", json=body).status_code == 413


def test_the_queue_has_an_end(client, address):
    """Of many more requests than it holds, those beyond are refused; afterwards it works again."""
    with Person(address) as person:
        person.show(png())
        body = {"fn_index": person.events["explain"], "session_hash": person.page, "event_data": None}
        asked = {**body, "data": [["score_cam"], ["bn2"], "black", "10 steps"]}
        answers = [person.client.post("/gradio_api/queue/join", json=asked).status_code for _ in range(WAITING + 40)]
    refused = [status for status in answers if status != 200]
    assert refused
    assert set(refused) == {503}
    assert answers.count(200) >= WAITING
    with Person(address) as person:
        assert person.show(png())["predictions"]
        assert person.explain(["grad_cam"], ["bn2"])["run"]["state"] == "done"


def test_the_watch_over_the_ways_out_sees_them(tmp_path):
    """Else a page that telephones home would pass unseen."""
    code = (
        "import pathlib, socket, sys; sys.path.insert(0, sys.argv[2]); from monitored import watch;"
        "watch(pathlib.Path(sys.argv[1]));"
        "socket.getaddrinfo('localhost', 80);"
        "socket.create_connection(('10.1.2.3', 80), timeout=1)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "log", Path(__file__).parent], capture_output=True, check=False
    )
    assert b"barred" in found.stderr
    assert "10.1.2.3" in (tmp_path / "log").read_text()
    assert "localhost" not in (tmp_path / "log").read_text()
