from __future__ import annotations

import pytest
from PIL import Image

from rsi_gradcam.errors import ImageError
from rsi_gradcam.images import find_photos


@pytest.fixture
def album(tmp_path):
    for name in ["b.jpg", "a.PNG", "sub/c.webp", "sub/.hidden.jpg", ".thumbs/d.jpg", "plot.eps", "notes.txt"]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return tmp_path


def names(photos, album):
    return [str(photo.relative_to(album)) for photo in photos]


def test_a_folder_gives_its_visible_photos_sorted_with_those_inside(album):
    assert names(find_photos(album), album) == ["a.PNG", "b.jpg", "sub/c.webp"]


def test_a_named_file_is_taken_whatever_it_is_called(album):
    assert names(find_photos([album / "notes.txt"]), album) == ["notes.txt"]


def test_a_pattern_gives_the_photos_it_fits(album):
    assert names(find_photos(f"{album}/*"), album) == ["a.PNG", "b.jpg", "sub/c.webp"]
    assert names(find_photos(f"{album}/**/*.webp"), album) == ["sub/c.webp"]


def test_a_file_with_brackets_in_its_name_is_no_pattern(album):
    path = album / "b[1].jpg"
    Image.new("RGB", (1, 1)).save(path)
    assert find_photos([path]) == [path]


def test_each_photo_comes_once_in_the_order_given(album):
    assert names(find_photos([album / "b.jpg", album, album / "b.jpg"]), album) == [
        "b.jpg",
        "a.PNG",
        "sub/c.webp",
    ]


def test_a_missing_file_is_told_with_its_like(album):
    with pytest.raises(ImageError, match=r"b\.jpeg is not there: did you mean b\.jpg"):
        find_photos(album / "b.jpeg")
    with pytest.raises(ImageError, match="nor is the folder"):
        find_photos(album / "none" / "b.jpg")


def test_a_folder_or_pattern_without_photos_is_refused(album):
    (album / "bare").mkdir()
    with pytest.raises(ImageError, match="holds no photos"):
        find_photos(album / "bare")
    with pytest.raises(ImageError, match="holds no photos"):
        find_photos(f"{album}/*.txt")


def test_pictures_that_were_made_of_photos_are_no_photos_of_a_folder_or_pattern(album):
    for end in ("overlay", "heatmap", "titled", "comparison", "uncertain"):
        (album / f"b.espresso.{end}.png").touch()
    assert names(find_photos(album), album) == ["a.PNG", "b.jpg", "sub/c.webp"]
    assert names(find_photos(f"{album}/*.*"), album) == ["a.PNG", "b.jpg"]
    assert names(find_photos(album / "b.espresso.overlay.png"), album) == ["b.espresso.overlay.png"]


def test_an_empty_name_is_not_the_folder_one_is_in(album, monkeypatch):
    monkeypatch.chdir(album)
    for empty in ("", " "):
        with pytest.raises(ImageError, match=r"name is empty: give a path"):
            find_photos([empty])


def test_a_photo_that_is_named_in_two_ways_comes_once(album, monkeypatch):
    monkeypatch.chdir(album)
    (album / "link.jpg").symlink_to(album / "b.jpg")
    assert [str(each) for each in find_photos(["b.jpg", album / "b.jpg", "sub/../b.jpg", "link.jpg"])] == ["b.jpg"]
