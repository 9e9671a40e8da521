"""The store of an evaluation: a folder of Parquet parts, each the rows of the same few photos of the data set.

A part is there whole or not at all, so what is missing is what still has to run.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.evaluation.funnel import funnel_of
from rsi_gradcam.evaluation.manifest import FORMAT, Manifest, difference
from rsi_gradcam.evaluation.schema import schema_of, unpacked
from rsi_gradcam.evaluation.whole_file import write_whole

MANIFEST = "manifest.json"
PART = re.compile(r"part-(\d{8})\.parquet")
MAPS = ("method", "control")
Kinds = Sequence[str]


@dataclass(frozen=True, eq=False)
class Store:
    """One evaluation, as far as it is done. `open` reads one, `create` begins or goes on with one."""

    folder: Path
    manifest: Manifest
    seen: dict[str, int] = field(default_factory=dict, repr=False)  # photo → chunk, as far as it was looked up

    @classmethod
    def open(cls, folder: str | Path) -> Store:
        """An evaluation that is there."""
        path = Path(folder, MANIFEST)
        try:
            manifest = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise ConfigurationError(f"{folder} holds no evaluation: make one with `evaluate run`") from None
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"{path} cannot be read as a manifest: {error}") from error
        found = manifest.get("format") if isinstance(manifest, dict) else None
        if found != FORMAT:
            raise ConfigurationError(f"{path} has the format {found}, this version reads {FORMAT}: run it again")
        return cls(Path(folder), manifest)

    @classmethod
    def create(cls, folder: str | Path, manifest: Manifest) -> Store:
        """A new store, or the one that is there if it is the same evaluation's. Its own part size then holds."""
        folder = Path(folder)
        if folder.is_dir() and not (folder / MANIFEST).exists() and any(folder.glob("[!.]*")):
            raise ConfigurationError(f"{folder} holds other files: give a new or an empty folder for the store")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / MANIFEST).exists():
            text = json.dumps(manifest, ensure_ascii=False, indent=1, allow_nan=False)
            write_whole(folder / MANIFEST, text.encode(), replace=False)
        store = cls.open(folder)
        store.check(manifest)
        return store

    def check(self, manifest: Manifest) -> None:
        """An error with the first difference, if that is another evaluation's."""
        if manifest["hash"] == self.manifest["hash"]:
            return
        why = difference(self.manifest["configuration"], manifest["configuration"])
        raise ConfigurationError(f"{self.folder} holds another evaluation: {why}; give another folder")

    @property
    def schema(self) -> pa.Schema:
        return schema_of(self.manifest)

    @property
    def examples(self) -> int:
        """How many photos the data set has."""
        return int(self.manifest["configuration"]["dataset"]["examples"])

    @property
    def chunks(self) -> int:
        """How many parts there will be."""
        return -(-self.examples // int(self.manifest["part_size"]))

    def part(self, chunk: int) -> Path:
        return self.folder / f"part-{chunk:08d}.parquet"

    def parts(self) -> list[Path]:
        """The files that are there, in order."""
        return [self.part(chunk) for chunk in sorted(self.done())]

    def done(self) -> set[int]:
        """The chunks that are there."""
        found = (PART.fullmatch(path.name) for path in self.folder.iterdir())
        return {int(match[1]) for match in found if match and int(match[1]) < self.chunks}

    def missing(self) -> list[int]:
        """The chunks that still have to run."""
        done = self.done()
        return [chunk for chunk in range(self.chunks) if chunk not in done]

    def write(self, chunk: int, table: pa.Table | bytes) -> None:
        """A whole part, at once; from the bytes of one, as an engine may bring it."""
        write_whole(self.part(chunk), table if isinstance(table, bytes) else as_bytes(table, self.schema))

    def read(self, columns: Iterable[str], kinds: Kinds = MAPS, photos: Iterable[str] | None = None) -> pa.Table:
        """These columns of the rows of these kinds, in the data set's order, of all photos or of those named."""
        names = None if photos is None else list(photos)
        parts = self.parts() if names is None else self.parts_of(names)
        asked = self.known(columns)
        nothing = pa.table({name: pa.array([], self.schema.field(name).type) for name in asked})
        return pa.concat_tables([nothing, *self.tables(parts, asked, kinds, names)])

    def batches(self, columns: Iterable[str], kinds: Kinds = MAPS) -> Iterator[pa.Table]:
        """The same, part by part: never more than one in memory."""
        return self.tables(self.parts(), self.known(columns), kinds)

    def tables(
        self, parts: Iterable[Path], columns: Sequence[str], kinds: Kinds, photos: Sequence[str] | None = None
    ) -> Iterator[pa.Table]:
        """File by file: Arrow's view of all at once keeps what it knows of each, more than 1 GiB for 12,500."""
        also = ["kind"] if photos is None else ["kind", "photo"]
        for path in parts:
            with pq.ParquetFile(path) as file:
                table = self.filled(file.read(list(dict.fromkeys([*columns, *also]))), columns)
            wanted = pc.is_in(table["kind"], pa.array(list(kinds), pa.string()))
            if photos is not None:
                wanted = pc.and_(wanted, pc.is_in(table["photo"], pa.array(photos, pa.string())))
            yield table.filter(wanted).select(columns)

    def filled(self, table: pa.Table, columns: Sequence[str]) -> pa.Table:
        """With nulls for the columns that parts of an earlier version do not have."""
        for name in columns:
            if name not in table.column_names:
                kind = self.schema.field(name).type
                table = table.append_column(name, pa.nulls(table.num_rows, kind))
        return table

    def known(self, columns: Iterable[str]) -> list[str]:
        asked = list(columns)
        if absent := [name for name in asked if name not in self.schema.names]:
            raise ConfigurationError(f"{self.folder} has no column {absent[0]!r}: it was not measured there")
        return asked

    def maps(self, photo: str) -> Mapping[tuple[str, str], np.ndarray]:
        """The raw maps of one photo by method and layer, (h, w) in float32."""
        columns = ("method", "layer", "map", "map_scale", "map_height", "map_width")
        rows = self.read(columns, photos=[photo]).to_pylist()
        return {(row["method"], row["layer"]): unpacked(row) for row in rows if row["map"] is not None}

    def parts_of(self, photos: Sequence[str]) -> list[Path]:
        """The files in which these photos are; the data set's order is looked up once."""
        if any(name not in self.seen for name in photos):
            size = int(self.manifest["part_size"])
            places = self.read(("photo", "index"), kinds=("photo",))
            for name, index in zip(places["photo"].to_pylist(), places["index"].to_pylist(), strict=True):
                self.seen[name] = index // size
        return [self.part(chunk) for chunk in sorted({self.seen[name] for name in photos if name in self.seen})]

    def funnel(self) -> Mapping[str, int]:
        """How many photos are left after each filter of the selection, as far as the run is done."""
        rows = self.read(("left_out", "error"), kinds=("photo",))
        selection = self.manifest["configuration"]["selection"]
        return funnel_of(rows["left_out"].to_pylist(), rows["error"].to_pylist(), selection)


def as_bytes(table: pa.Table, schema: pa.Schema) -> bytes:
    """A part as it lies on the disk."""
    if table.schema != schema:
        raise ConfigurationError("a part must have the columns of its store: make it with schema.table_of")
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()
