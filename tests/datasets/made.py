"""A small data set of each kind: things are white, all else is black."""

from __future__ import annotations

from rsi_gradcam.datasets.folder import Folder
from rsi_gradcam.datasets.manifest import Manifest
from rsi_gradcam.datasets.mosaic import Mosaic
from tests.datasets.photos import save

CLASSES = ("cat", "dog", "owl", "fox")


def folder(root):
    for name in ("cat/a.png", "cat/b.png", "dog/a.png", "owl/a.png", "fox/a.png"):
        save(root / name, white=(0, 0, 20, 12))
    return Folder(str(root))


def manifest(root):
    save(root / "a.png", white=(2, 3, 9, 12))
    save(root / "b.png", white=(0, 0, 20, 5), orientation=6)
    (root / "photos.csv").write_text(
        "path,label,xmin,ymin,xmax,ymax\na.png,cat,2,3,9,12\nb.png,3,7,0,12,20\nb.png,3,7,0,9,10\nb.png,dog,8,0,12,20\n"
    )
    return Manifest(str(root / "photos.csv"))


def mosaic(root):
    return Mosaic(folder(root), count=3, tile=8)


MAKERS = {"folder": folder, "manifest": manifest, "mosaic": mosaic}
