"""A small data set of each kind: things are white, all else is black."""

from __future__ import annotations

import json

from rsi_gradcam.datasets.coco import COCO
from rsi_gradcam.datasets.folder import Folder
from rsi_gradcam.datasets.imagenet import ImageNet
from rsi_gradcam.datasets.manifest import Manifest
from rsi_gradcam.datasets.mosaic import Mosaic
from rsi_gradcam.datasets.voc import VOC
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


def xml(*things, size=(20, 12)):
    """An annotation: things are name, corners as they are written, and perhaps difficult."""
    objects = "".join(
        f"<object><name>{name}</name><difficult>{int(bool(rest))}</difficult><bndbox><xmin>{corners[0]}</xmin>"
        f"<ymin>{corners[1]}</ymin><xmax>{corners[2]}</xmax><ymax>{corners[3]}</ymax></bndbox></object>"
        for name, corners, *rest in things
    )
    told = f"<size><width>{size[0]}</width><height>{size[1]}</height><depth>3</depth></size>" if size else ""
    return f"<annotation>{told}{objects}</annotation>"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def voc(root):
    save(root / "JPEGImages" / "000001.png", white=(2, 3, 9, 12))
    save(root / "JPEGImages" / "000002.png", white=(0, 0, 20, 5), orientation=6)
    write(root / "Annotations" / "000001.xml", xml(("cat", (3, 4, 9, 12))))
    two = xml(("dog", (1, 1, 9, 5)), ("cat", (1, 1, 20, 5)), ("dog", (12, 3, 20, 4)))
    write(root / "Annotations" / "000002.xml", two)
    write(root / "ImageSets" / "Main" / "val.txt", "000002\n000001\n")
    return VOC(str(root))


def imagenet(root):
    save(root / "val" / "ILSVRC2012_val_00000001.png", white=(2, 3, 9, 12))
    save(root / "val" / "ILSVRC2012_val_00000002.png", white=(0, 0, 20, 5), orientation=6)
    write(root / "boxes" / "ILSVRC2012_val_00000001.xml", xml(("n02123045", (2, 3, 8, 11))))
    two = xml(("n01440764", (0, 0, 8, 4)), ("n01440764", (11, 2, 19, 3)))
    write(root / "boxes" / "ILSVRC2012_val_00000002.xml", two)
    return ImageNet(str(root), str(root / "boxes"))


def instances(*boxes, size=(20, 12)):
    """COCO's lists: boxes are photo, category, bbox, and perhaps iscrowd."""
    told = {"width": size[0], "height": size[1]} if size else {}
    return {
        "images": [{"id": i, "file_name": f"{i:012d}.png", **told} for i in sorted({each[0] for each in boxes})],
        "annotations": [
            {"id": i, "image_id": photo, "category_id": category, "bbox": list(bbox), "iscrowd": int(bool(rest))}
            for i, (photo, category, bbox, *rest) in enumerate(boxes)
        ],
        "categories": [{"id": 17, "name": "cat"}, {"id": 18, "name": "hot dog"}],
    }


def coco(root):
    save(root / "val2017" / "000000000001.png", white=(2, 3, 9, 12))
    save(root / "val2017" / "000000000002.png", white=(0, 0, 20, 5), orientation=6)
    boxes = ((1, 17, (2, 3, 7, 9)), (2, 18, (0, 0, 9, 5)), (2, 17, (0, 0, 20, 5)), (2, 18, (11, 2, 9, 2)))
    write(root / "annotations" / "instances_val2017.json", json.dumps(instances(*boxes)))
    return COCO(str(root))


MAKERS = {"coco": coco, "folder": folder, "imagenet": imagenet, "manifest": manifest, "mosaic": mosaic, "voc": voc}
