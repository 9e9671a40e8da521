from __future__ import annotations

import errno

import pytest

from rsi_gradcam.cli.whole_file import usable, whole_file


def test_a_file_has_its_name_when_it_is_whole(tmp_path):
    path = tmp_path / "a.txt"
    with whole_file(path) as file:
        file.write(b"half")
        assert not path.exists()
    assert path.read_bytes() == b"half"
    assert list(tmp_path.iterdir()) == [path]


def test_what_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def write():
        with whole_file(path) as file:
            file.write(b"new")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="a.txt") as caught:
        write()
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_made_with_those_above_it(tmp_path):
    assert usable(tmp_path / "a" / "b").is_dir()
    assert not list((tmp_path / "a" / "b").iterdir())
