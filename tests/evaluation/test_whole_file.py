from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from rsi_gradcam.evaluation.whole_file import write_whole


def test_the_first_who_comes_gets_a_name_that_is_not_to_be_replaced(tmp_path):
    path = tmp_path / "manifest.json"
    assert write_whole(path, b"first", replace=False)
    assert not write_whole(path, b"second", replace=False)
    assert path.read_bytes() == b"first"
    assert write_whole(path, b"third")
    assert path.read_bytes() == b"third"


@pytest.mark.parametrize("replace", [False, True])
def test_many_at_once_leave_one_whole_file_and_nothing_else(tmp_path, replace):
    path, contents = tmp_path / "part", [bytes([number]) * 10_000 for number in range(32)]
    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(lambda content: write_whole(path, content, replace=replace), contents))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]
    assert any(written)
    assert replace or sum(written) == 1


def test_without_hard_links_it_works_as_well(tmp_path, monkeypatch):
    def refuse(*_rest):
        raise PermissionError("no links on this file system")

    monkeypatch.setattr("os.link", refuse)
    assert write_whole(tmp_path / "a", b"first", replace=False)
    assert not write_whole(tmp_path / "a", b"second", replace=False)
    assert (tmp_path / "a").read_bytes() == b"first"
