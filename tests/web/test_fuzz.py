"""Two hundred bad uploads, and a hundred at once: each is told off in a line, none ends the page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.web.bad_files import bad_files
from tests.web.fakes import png
from tests.web.person import Person

COUNT = 200
MODEL = "efficientnet_lite0"


@pytest.fixture(scope="module")
def right(address):
    """What the page answers to a good photo."""
    with Person(address) as person:
        return person.show(png())["predictions"]


def told_off(said):
    """An answer without predictions, in one line that names nothing of this machine."""
    words = str(said.get("error") or said.get("notice") or "")
    return not said.get("predictions") and "\n" not in words and "/tmp" not in words and "Traceback" not in words


def test_two_hundred_bad_files_leave_it_answering(address, right):
    refused = 0
    with Person(address) as person:
        for place, (name, data) in enumerate(bad_files(COUNT)):
            file = person.upload(data, name)
            if file is None:
                refused += 1
                continue
            said = person.ask("show", file, MODEL)
            assert told_off(said), (place, name, data[:20], said)
            assert said["notice"], (place, name, data[:20])
            if place % 25 == 0:
                assert person.show(png())["predictions"] == right
        assert person.show(png())["predictions"] == right
    assert refused < COUNT / 4  # most went the whole way


def test_a_hundred_at_once_leave_it_answering(address, right):
    files = list(bad_files(100))

    def send(pair):
        with Person(address) as person:
            file = person.upload(pair[1], pair[0])
            return True if file is None else told_off(person.ask("show", file, MODEL))

    with ThreadPoolExecutor(100) as crowd:
        assert all(crowd.map(send, files))
    with Person(address) as person:
        assert person.show(png())["predictions"] == right


ODD = (
    {"files": [("files", (f"{number}.png", b"x")) for number in range(1100)]},
    {"content": b"--b", "headers": {"content-type": "multipart/form-data; boundary=" + "b" * 60000}},
    {"content": b'--b\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n' + b"X: y\r\n" * 20000,
     "headers": {"content-type": "multipart/form-data; boundary=b"}},
    {"content": b"", "headers": {"content-type": "image/png"}},
    {"headers": {"x-long": "y" * 10**6}},
)  # fmt: skip


@pytest.mark.parametrize("form", ODD, ids=["many files", "long boundary", "many headers", "no form", "long header"])
def test_huge_and_odd_forms_are_refused(address, right, form):
    assert refused(f"{address}/gradio_api/upload", **form)
    with Person(address) as person:
        assert person.show(png())["predictions"] == right


@pytest.mark.parametrize("where", ["queue/join", "run/predict", "component_server", "cancel"])
@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b'{"data": null}', b'{"data": [1], "fn_index": 99999}', b"\xff" * 100, b"[" * 90000]
)
def test_what_is_no_event_is_refused(address, where, body):
    assert refused(f"{address}/gradio_api/{where}", content=body, headers={"content-type": "application/json"})


def refused(url, **sent):
    try:
        return httpx.post(url, timeout=60, **sent).status_code >= 400
    except httpx.TransportError:
        return True  # hung up
