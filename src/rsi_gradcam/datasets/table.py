"""Tables of photos, CSV or Parquet, row by row as text."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from rsi_gradcam.errors import DatasetError, MissingExtra

Row = Mapping[str, str]  # column → what is written there, "" for nothing
Check = Callable[[Sequence[str]], None]


def rows_of(file: Path, known: Collection[str], check: Check) -> Iterator[tuple[str, Row]]:
    """Each row, with where it is; of the columns those that are known. `check` gets the names of all, first."""
    if not file.is_file():
        raise DatasetError(f"{file} is not there: give the CSV or Parquet file of the photos")
    of_kind, unit = (parquet_rows, "row") if file.suffix.lower() == ".parquet" else (csv_rows, "line")
    for number, row in of_kind(file, known, check):
        yield f"{file}, {unit} {number},", row


def csv_rows(file: Path, known: Collection[str], check: Check) -> Iterator[tuple[int, Row]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            reader = csv.reader(lines, strict=True)
            columns = [name.strip() for name in next(reader, [])]
            check(columns)
            for cells in reader:
                row = dict(zip(columns, cells, strict=False))
                if cells:
                    yield reader.line_num, {name: row.get(name, "").strip() for name in columns if name in known}
    except (csv.Error, UnicodeDecodeError) as error:
        raise DatasetError(f"{file} is no readable CSV ({error}): save it as comma-separated UTF-8") from error


def parquet_rows(file: Path, known: Collection[str], check: Check) -> Iterator[tuple[int, Row]]:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 - an optional dependency, and this is its home
    except ImportError as error:
        raise MissingExtra("reading Parquet", "evaluation") from error
    try:
        with parquet.ParquetFile(file) as opened:
            columns = opened.schema_arrow.names
            check(columns)
            batches = opened.iter_batches(columns=[name for name in columns if name in known])
            rows = (row for batch in batches for row in batch.to_pylist())
            for number, row in enumerate(rows, 1):
                yield number, {name: text(value) for name, value in row.items()}
    except (ArrowException, OSError) as error:
        why = (str(error).splitlines() or [""])[0]
        raise DatasetError(f"{file} is no readable Parquet ({why}): write it again") from error


def text(value: object) -> str:
    """As it would stand in a CSV: a whole number without its point, nothing for what is missing.

    >>> text(7.0), text(7.5), text(None), text(" tabby")
    ('7', '7.5', '', 'tabby')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value).strip()
