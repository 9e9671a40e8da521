from __future__ import annotations

import asyncio

import pytest

from rsi_gradcam.web import guard
from rsi_gradcam.web.admission import Admission
from rsi_gradcam.web.guard import Guard
from rsi_gradcam.web.limits import BODY_BYTES, UPLOAD_BYTES

UPLOAD = "/gradio_api/upload"


async def inner(scope, receive, send):
    """Reads all, and answers with how much that was."""
    taken, more = 0, True
    while more:
        message = await receive()
        taken += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(taken).encode()})


def ask(folder, path="/config", pieces=(b"",), app=inner, host=b"localhost"):
    """(status, headers, body) of a request whose body comes in these pieces."""
    sent, left = [], list(pieces)

    async def receive():
        piece = left.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(left)}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "path": path, "headers": [(b"host", host)]}
    asyncio.run(Guard(app, Admission(True, folder))(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"], len(left)


def test_what_fits_passes_and_the_answer_says_what_a_browser_may_load(tmp_path):
    status, headers, body, _ = ask(tmp_path, pieces=(b"a" * 1000, b"b" * 24))
    assert (status, body) == (200, b"1024")
    assert b"default-src 'self'" in headers[b"content-security-policy"]
    assert headers[b"x-content-type-options"] == b"nosniff"


def test_a_refusal_never_reaches_what_is_within(tmp_path):
    async def never(*_):
        raise AssertionError

    assert ask(tmp_path, "/gradio_api/proxy=http://a.b", app=never)[0] == 403
    assert ask(tmp_path, "/", app=never, host=b"evil.example")[0] == 403


@pytest.mark.parametrize(("path", "limit"), [("/config", BODY_BYTES), (UPLOAD, UPLOAD_BYTES + BODY_BYTES)])
def test_a_body_without_end_is_not_read_to_its_end(tmp_path, path, limit):
    piece = b"x" * 2**18
    pieces = [piece] * (limit // len(piece) + 20)
    status, _, body, left = ask(tmp_path, path, pieces)
    assert status == 413
    assert str(limit).encode() in body
    assert left == 19
    assert ask(tmp_path, path, pieces[: limit // len(piece)])[0] == 200


def test_uploads_do_not_fill_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "STORED_BYTES", 1000)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "photo").write_bytes(b"x" * 900)
    assert ask(tmp_path, UPLOAD)[0] == 200
    (tmp_path / "more").write_bytes(b"x" * 101)
    assert ask(tmp_path, UPLOAD)[0] == 507
    assert ask(tmp_path, "/config")[0] == 200


def test_what_gradio_stumbles_over_is_refused_and_told_in_one_line(tmp_path, caplog):
    async def stumbles(*_):
        raise TypeError("File is not an instance")

    status, _, body, _ = ask(tmp_path, UPLOAD, app=stumbles)
    assert (status, body) == (400, b"this could not be understood")
    assert [record.getMessage() for record in caplog.records] == [
        "/gradio_api/upload could not be answered: TypeError: File is not an instance"
    ]
