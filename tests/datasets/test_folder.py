from __future__ import annotations

import pytest

from rsi_gradcam.datasets import Example
from rsi_gradcam.datasets.folder import Folder
from rsi_gradcam.errors import DatasetError
from tests.datasets.photos import save, white_box


@pytest.fixture
def root(tmp_path):
    for name in ("dog/b.jpg", "dog/a.PNG", "cat/deep/c.jpg", "281/d.jpg", ".hidden/e.jpg", "dog/.f.jpg", "loose.jpg"):
        save(tmp_path / name)
    (tmp_path / "dog" / "notes.txt").touch()
    return tmp_path


def test_the_class_is_the_folder_and_the_order_that_of_the_names(root):
    assert Folder(str(root)).examples() == (
        Example("281/d.jpg", 281),
        Example("cat/deep/c.jpg", "cat"),
        Example("dog/a.PNG", "dog"),
        Example("dog/b.jpg", "dog"),
    )


def test_a_folder_called_as_a_synset_is_of_its_class(tmp_path):
    save(tmp_path / "n02123045" / "a.jpg")
    assert Folder(str(tmp_path)).examples()[0].label == 281


def test_a_photo_is_turned_upright(root):
    save(root / "dog" / "b.jpg", (20, 12), white=(0, 0, 20, 6), orientation=6)
    photo = Folder(str(root)).photo(Example("dog/b.jpg", "dog"))
    assert photo.size == (12, 20)
    assert white_box(photo) == (6, 0, 12, 20)


def test_a_link_to_a_folder_is_followed(root, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    save(elsewhere / "z.jpg")
    (root / "wolf").symlink_to(elsewhere)
    assert Folder(str(root)).examples()[-1].name == "wolf/z.jpg"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("none", "is not there: give the folder"),
        ("loose.jpg", "is a file: give the folder"),
        ("dog", "class folders"),
    ],
)
def test_a_wrong_folder_is_one_line(root, path, said):
    with pytest.raises(DatasetError, match=said) as caught:
        Folder(str(root / path)).examples()
    assert "\n" not in str(caught.value)
