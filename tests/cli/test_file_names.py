from __future__ import annotations

import hashlib
from pathlib import Path

from rsi_gradcam.cli.file_names import class_words, file_name, names_of


def named(*paths: str) -> list[str]:
    return list(names_of(map(Path, paths)).values())


def test_a_photo_is_called_by_its_stem():
    assert named("/x/a.jpg", "/x/b.png") == ["a", "b"]


def test_photos_of_one_stem_are_called_by_their_whole_names():
    assert named("/x/IMG_1.jpg", "/x/IMG_1.png", "/x/b.png") == ["IMG_1.jpg", "IMG_1.png", "b"]


def test_folders_come_before_only_where_whole_names_are_alike_too():
    assert named("/x/here/cup.png", "/x/there/cup.png", "/x/there/cup.jpg") == [
        "here_cup.png",
        "there_cup.png",
        "cup.jpg",
    ]


def test_names_that_no_folder_tells_apart_are_numbered():
    assert named("/a_b/c.png", "/a/b_c.png") == ["c", "b_c"]
    assert len(set(named("/a_b/c.png", "/b/c.png", "/a/b_c.png", "/b_c.png", "/a/b/c.png"))) == 5


def test_case_alone_does_not_tell_two_files_apart():
    assert named("/x/here/Cup.png", "/x/there/cup.png") == ["here_Cup.png", "there_cup.png"]


def test_classes_of_one_first_name_carry_their_index():
    assert class_words(["crane", "Crane, bird", "dog, a", "!!!", ""]) == [
        "crane_0",
        "crane_1",
        "dog",
        "class_3",
        "class_4",
    ]


def test_a_name_is_never_longer_than_a_file_system_takes():
    photo = "ü" * 120
    name = file_name(photo, "espresso", "rsi_grad_cam", "bn2", "overlay.png")
    assert len(name.encode()) <= 255
    assert name.endswith(f"~{hashlib.sha256(photo.encode()).hexdigest()[:8]}.espresso.rsi_grad_cam.bn2.overlay.png")
    assert file_name("cup", "espresso", "json") == "cup.espresso.json"
    assert len(class_words(["a very long class " * 20])[0]) <= 60
