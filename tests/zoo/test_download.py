from __future__ import annotations

import hashlib
import io
import time
from email.message import Message
from urllib.error import HTTPError, URLError

import pytest

from rsi_gradcam.errors import WeightsError
from rsi_gradcam.zoo import download
from rsi_gradcam.zoo.download import fetch

CONTENT = b"weights" * 300_000


@pytest.fixture
def url(tmp_path):
    served = tmp_path / "served.pth"
    served.write_bytes(CONTENT)
    return served.as_uri()


def failing(monkeypatch, error):
    def fail(*_given, **_named):
        raise error

    monkeypatch.setattr(download, "urlopen", fail)


def test_a_file_is_fetched_once_and_told_of(tmp_path, url, monkeypatch):
    told = []
    path = fetch(url, tmp_path / "cache" / "net.pth", lambda *news: told.append(news))
    assert path.read_bytes() == CONTENT
    assert told[-1] == ("net.pth", len(CONTENT), len(CONTENT))
    failing(monkeypatch, AssertionError("fetched again"))
    assert fetch(url, path) == path


def test_a_fetched_file_may_be_read_by_others_as_any_file(tmp_path, url):
    path = fetch(url, tmp_path / "net.pth")
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_hash_in_the_name_is_checked(tmp_path, url):
    right = hashlib.sha256(CONTENT).hexdigest()[:8]
    assert fetch(url, tmp_path / f"net-{right}.pth").is_file()
    with pytest.raises(WeightsError, match=r"what came has the SHA-256 \w{12}…, expected 00000000…"):
        fetch(url, tmp_path / "net-00000000.pth")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"net-{right}.pth", "served.pth"]


def test_a_connection_that_breaks_leaves_nothing_behind(tmp_path, monkeypatch):
    class Broken(io.BytesIO):
        @property
        def headers(self):
            return {"Content-Length": "1000"}

    monkeypatch.setattr(download, "urlopen", lambda *given, **named: Broken(b"abc"))
    with pytest.raises(WeightsError, match="the connection ended after 3 of 1000 bytes"):
        fetch("https://example.org/net.pth", tmp_path / "net.pth")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (URLError(OSError(-2, "Name or service not known")), "Name or service not known"),
        (HTTPError("u", 404, "Not Found", Message(), None), "Not Found"),
        (TimeoutError("timed out"), "timed out"),
    ],
)
def test_offline_one_line_says_which_file_to_put_where(tmp_path, monkeypatch, error, said):
    failing(monkeypatch, error)
    path = tmp_path / "checkpoints" / "net.pth"
    started = time.monotonic()
    with pytest.raises(WeightsError) as caught:
        fetch("https://example.org/net.pth", path)
    message = str(caught.value)
    assert time.monotonic() - started < 1
    for part in (said, "download https://example.org/net.pth", f"put it at {path}", "--weights FILE"):
        assert part in message
    assert "\n" not in message


def test_a_folder_that_cannot_be_written_is_told(tmp_path, url):
    (tmp_path / "file").touch()
    with pytest.raises(WeightsError, match="or pass it with weights=FILE"):
        fetch(url, tmp_path / "file" / "net.pth")
