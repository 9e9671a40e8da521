from __future__ import annotations

import pytest

from rsi_gradcam.web.admission import Admission, is_loopback

OWN = [(b"host", b"127.0.0.1:7860")]


@pytest.fixture
def local(tmp_path):
    return Admission(True, tmp_path)


@pytest.fixture
def public(tmp_path):
    return Admission(False, tmp_path)


@pytest.mark.parametrize(
    "path",
    ["/", "/config", "/assets/index-abc.js", "/theme.css", "/gradio_api/queue/join", "/gradio_api/upload",
     "/gradio_api/heartbeat/abc", "/gradio_api/run/predict", "/gradio_api/component_server/"],
)  # fmt: skip
def test_what_the_page_needs_is_answered(local, path):
    assert local.refusal(path, OWN) is None


@pytest.mark.parametrize(
    "path",
    ["/gradio_api/proxy=https://example.org/", "/gradio_api/file/etc/passwd", "/gradio_api/deep_link", "/monitoring",
     "/gradio_api/vibe-code", "/gradio_api/stream/a/b/c/playlist.m3u8", "/gradio_api/runs", "/docs", "/login",
     "/gradio_api/process_recording", "/assets/../../secret", "/gradio_api/info", "/gradio_api/custom_component/a/b"],
)  # fmt: skip
def test_what_it_does_not_need_is_not(local, path):
    assert local.refusal(path, OWN) == b"this page has no such address"


def test_only_files_of_its_own_folder_are_shown(local, tmp_path):
    (tmp_path / "link").symlink_to("/etc/passwd")
    own, elsewhere = "/gradio_api/file=" + str(tmp_path), "/gradio_api/file="
    assert local.refusal(f"{own}/abc/photo.png", OWN) is None
    for path in (f"{own}/../other.png", f"{own}/link", elsewhere + "/etc/passwd", elsewhere + "pyproject.toml",
                 elsewhere + "https://example.org/a.png", elsewhere, f"{own}x/photo.png", f"{own}/a\x00b",
                 elsewhere + "/" + "x" * 5000):  # fmt: skip
        assert local.refusal(path, OWN) is not None, path


@pytest.mark.parametrize("host", [b"evil.example", b"127.0.0.1.evil.example:7860", b"192.168.1.7:7860", b"", b"["])
def test_a_name_that_was_rebound_to_this_machine_is_refused(local, public, host):
    assert b"localhost" in local.refusal("/", [(b"host", host)])
    assert public.refusal("/", [(b"host", host)]) is None


def test_the_other_of_two_hosts_is_seen_as_well(local):
    assert local.refusal("/", [(b"Host", b"evil.example"), *OWN]) is not None


@pytest.mark.parametrize(
    "origin", [b"https://evil.example", b"null", b"http://127.0.0.1:8000", b"http://localhost:7860", b"file://", b""]
)
def test_another_site_sends_nothing_here(local, public, origin):
    for admission in (local, public):
        assert b"other sites" in admission.refusal("/gradio_api/upload", [*OWN, (b"origin", origin)])


def test_the_pages_own_requests_pass_also_behind_a_proxy(local, public):
    assert local.refusal("/gradio_api/upload", [*OWN, (b"origin", b"http://127.0.0.1:7860")]) is None
    proxied = [(b"host", b"10.0.0.3"), (b"x-forwarded-host", b"maps.example"), (b"origin", b"https://maps.example")]
    assert public.refusal("/gradio_api/upload", proxied) is None


@pytest.mark.parametrize(("host", "here"), [
    ("127.0.0.1", True), ("localhost", True), ("::1", True), ("[::1]:7860", True), ("127.9.9.9", True),
    ("0.0.0.0", False), ("::", False), ("example.org", False), ("localhost.example.org", False),
])  # fmt: skip
def test_loopback(host, here):
    assert is_loopback(host) is here
