"""The steps of an evaluation whose maps are faked, for `scale.py`: everything else of it is real.

python benchmarks/faked_run.py plan|half|resume|status|summary STORE PHOTOS PART_SIZE
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import torch
from PIL import Image
from torch import nn

from rsi_gradcam import zoo
from rsi_gradcam.cli.standing import standing
from rsi_gradcam.datasets import Dataset, Example
from rsi_gradcam.evaluation.engines.base import Engine
from rsi_gradcam.evaluation.plan import pending
from rsi_gradcam.evaluation.protocol import Protocol, protocol
from rsi_gradcam.evaluation.running import Evaluation
from rsi_gradcam.evaluation.schema import schema_of
from rsi_gradcam.evaluation.store import Store, as_bytes
from rsi_gradcam.evaluation.summary import summarise
from rsi_gradcam.evaluation.worker import Recipe, Told
from rsi_gradcam.images import Preprocess
from rsi_gradcam.images.box import Box

CLASSES = 1000
SIDES = {"block4": 14, "block5": 7}  # of the maps
WRONG, FAILED = 0.2, 0.001  # shares of the photos


@dataclass(frozen=True)
class Names(Sequence[Example]):
    """As many examples as one likes, each made when it is asked for."""

    count: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: Any) -> Any:
        if not 0 <= index < self.count:
            raise IndexError(index)
        return Example(f"n{index % CLASSES:08d}/{index:08d}.jpg", index % CLASSES, (Box(20, 30, 120, 150),))


@dataclass(frozen=True)
class Many(Dataset):
    """Photos that are but names."""

    count: int

    name: ClassVar[str] = "many"
    summary: ClassVar[str] = "names"

    def examples(self) -> Sequence[Example]:
        return Names(self.count)

    def photo(self, example: Example) -> Image.Image:
        raise NotImplementedError(f"{example.name} is only a name")


@dataclass(frozen=True)
class Faked(Engine):
    """Parts with rows that look like those of a real run, made at once for a whole chunk."""

    name: ClassVar[str] = "faked"

    def parts(self, recipe: Recipe, chunks: Sequence[int], told: Told) -> Iterator[tuple[int, bytes]]:
        del told  # nobody listens
        schema = schema_of(recipe.manifest)
        for chunk in chunks:
            yield chunk, as_bytes(table(recipe, schema, recipe.photos_of(chunk)), schema)


def places_of(said: Protocol) -> list[tuple[str, str, str]]:
    found = [("method", name, layer) for name in said.methods for layer in SIDES]
    for control in said.controls:
        found += [("control", control.name, layer) for layer in (SIDES if control.at_layer else ("input",))]
    return found


def table(recipe: Recipe, schema: pa.Schema, photos: range) -> pa.Table:
    """Of each photo its own row; of those that did not fail and were kept, one for each map."""
    draw, places = np.random.default_rng(photos.start), [("photo", "", ""), *places_of(recipe.protocol)]
    fate = draw.uniform(size=len(photos))
    failed, wrong = fate < FAILED, fate > 1 - WRONG
    counts = np.where(failed | wrong, 1, len(places))
    photo = np.repeat(np.arange(len(photos)), counts)
    place = np.arange(len(photo)) - np.repeat(np.cumsum(counts) - counts, counts)
    index = photo + photos.start
    names = [recipe.dataset.examples()[each].name for each in photos]
    columns: dict[str, Any] = {
        "photo": [names[each] for each in photo],
        "index": index,
        **{name: [places[each][k] for each in place] for k, name in enumerate(("kind", "method", "layer"))},
        **dict.fromkeys(("label", "predicted", "category"), index % CLASSES),
        "probability": (1 - draw.uniform(size=len(photos)) ** 3)[photo],
        "boxes": np.ones(len(photo), np.int64),
        "box_share": draw.uniform(0.05, 0.45, len(photos))[photo],
        "left_out": ["wrong class" if each else "" for each in wrong[photo]],
        "error": ["ImageError: this one is broken" if each else "" for each in failed[photo]],
        "seconds": draw.uniform(size=len(photo)),
        **maps(places, place, draw),
        **measured(recipe, place, draw),
    }
    nothing = {field.name: pa.nulls(len(photo), field.type) for field in schema if field.name not in columns}
    return pa.table({field.name: {**columns, **nothing}[field.name] for field in schema}, schema)


def maps(places: Sequence[tuple[str, str, str]], place: np.ndarray, draw: np.random.Generator) -> dict[str, Any]:
    side = np.array([SIDES.get(layer, 0) for _, _, layer in places])[place]
    values = pa.array(draw.uniform(size=int((side**2).sum())).astype(np.float16))
    sides = pa.array(side, mask=side == 0)
    scale = pa.array(10.0 ** draw.uniform(-3, 0, len(place)), mask=side == 0)
    return {"map": lists(values, side**2), "map_scale": scale, "map_height": sides, "map_width": sides}


def measured(recipe: Recipe, place: np.ndarray, draw: np.random.Generator) -> dict[str, Any]:
    """Numbers around one that differs from place to place; curves that fall; a few 1 among 0."""
    found: dict[str, Any] = {}
    skill, none = 0.4 + 0.2 * np.sin(place), place == 0
    for metric in recipe.manifest["configuration"]["metrics"]:
        for column in metric["columns"]:
            if column["curve"]:
                points = len(metric["points"])
                curves = draw.uniform(size=(len(place), 1)) * np.linspace(1, 0, points)
                found[column["name"]] = lists(pa.array(curves[~none].ravel().astype(np.float32)), points * ~none)
            elif column["name"] in ("darkness", "average_drop_increase"):
                found[column["name"]] = pa.array((draw.uniform(size=len(place)) < 0.05).astype(float), mask=none)
            else:
                found[column["name"]] = pa.array(np.clip(draw.normal(skill, 0.2), 0, 1), mask=none)
    return found


def lists(values: pa.Array, lengths: np.ndarray) -> pa.Array:
    """A list in each row, null where its length is 0."""
    ends = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(ends, values, mask=pa.array(lengths == 0))


@dataclass(frozen=True)
class Steps:
    """An evaluation of names, step by step. Each says in a few words what came of it."""

    folder: Path
    photos: int
    part_size: int
    resamples: int = 2000

    def begun(self) -> Evaluation:
        """Every photo's name, label and boxes are gone through."""
        torch.manual_seed(0)
        blocks = OrderedDict(block4=nn.Conv2d(3, 4, 3), block5=nn.Conv2d(4, 4, 3), pool=nn.AdaptiveAvgPool2d(1))
        module = nn.Sequential(OrderedDict(**blocks, flatten=nn.Flatten(), head=nn.Linear(4, CLASSES)))
        network = zoo.adopt(module, Preprocess((32, 32), "squash"), name="faked")
        said = protocol(layers=tuple(SIDES), steps=50)
        data, size = Many(self.photos), self.part_size
        return Evaluation.begin(self.folder, lambda: network, data, said, here=network, part_size=size)

    def plan(self) -> str:
        return f"{len(pending(self.begun().store))} parts to run"

    def half(self) -> str:
        evaluation = self.begun()
        return f"{len(list(evaluation.run(Faked(), pending(evaluation.store)[::2])))} parts written"

    def resume(self) -> str:
        evaluation = self.begun()
        return f"{len(list(evaluation.run(Faked(), pending(evaluation.store))))} parts written"

    def status(self) -> str:
        said = standing(Store.open(self.folder))
        return f"{said['funnel']['kept']} of {said['funnel']['photos']} photos kept, {len(said['failed'])} failed"

    def summary(self) -> str:
        found = summarise(Store.open(self.folder), resamples=self.resamples)
        json.dumps(found.as_dict())
        kinds = {"means": found.rows, "comparisons": found.pairs, "curves": found.curves, "sentences": found.verdicts}
        return ", ".join(f"{len(each)} {name}" for name, each in kinds.items())


def peak() -> float:
    """The most memory that this process has had at once, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10


def main(step: str, folder: str, photos: str, part_size: str) -> None:
    imports, began, busy = peak(), time.perf_counter(), time.process_time()
    said = getattr(Steps(Path(folder), int(photos), int(part_size)), step)()
    seconds = {"seconds": time.perf_counter() - began, "busy": time.process_time() - busy}
    print(json.dumps({**seconds, "peak": peak(), "imports": imports, "said": said}))


if __name__ == "__main__":
    main(*sys.argv[1:])
