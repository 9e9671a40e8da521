"""Which kind of data set lies at a path."""

from __future__ import annotations

from pathlib import Path

from rsi_gradcam.errors import DatasetError

TABLES = (".csv", ".parquet")


def guessed(path: Path) -> str:
    """The name of the kind, by the files that only it has.

    A table is a manifest, a .json is COCO's; a folder is voc, coco or imagenet by their layouts, else of class
    folders.
    """
    if path.is_file():
        if path.suffix.lower() in TABLES:
            return "manifest"
        if path.suffix.lower() == ".json":
            return "coco"
        raise DatasetError(f"{path} is no data set: give a folder, a .csv or .parquet table, or COCO's .json")
    if not path.is_dir():
        raise DatasetError(
            f"{path} is not there: check the path, or say mosaic for the built-in data set, or KIND:PATH"
        )
    return kind_of(path)


def kind_of(folder: Path) -> str:
    if (folder / "JPEGImages").is_dir():
        return "voc"
    if any((folder / "annotations").glob("*.json")):
        return "coco"
    if any(folder.glob("LOC_*_solution.csv")) or has_synsets(folder) or any(folder.glob("ILSVRC2012_val_*.JPEG")):
        return "imagenet"
    tables = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in TABLES]
    if tables:
        raise DatasetError(f"{folder} holds a table: give {tables[0]} itself, or folder:{folder} for class folders")
    if any(each.is_dir() and not each.name.startswith(".") for each in folder.iterdir()):
        return "folder"
    raise DatasetError(
        f"{folder} is no data set that can be guessed: it has no class folders; say KIND:{folder}, "
        f"or write a manifest of its photos"
    )


def has_synsets(folder: Path) -> bool:
    names = [each.name for each in folder.iterdir() if each.is_dir()]
    return bool(names) and all(name[0] == "n" and name[1:].isdigit() and len(name) == 9 for name in names)
