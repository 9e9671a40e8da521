"""Photos of an evaluation with their maps: filtered, sorted, a page at a time."""

from __future__ import annotations

import base64
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from PIL import Image

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.figures import heatmap_picture, overlay
from rsi_gradcam.web.photo import shrunk
from rsi_gradcam.web.telling import Told, number

if TYPE_CHECKING:
    from rsi_gradcam.reporting.specimen import Specimen
    from rsi_gradcam.reporting.study import Numbers, Study

AT_ONCE = 12
SIDE = 240


@dataclass(frozen=True)
class Wanted:
    """What of the gallery is asked for."""

    text: str = ""
    least: float = 0.0  # probability
    sort: str = ""  # a column; "": the data set's order
    of: tuple[str, str] | None = None  # whose
    falling: bool = True
    dark: bool = False
    page: int = 0

    @classmethod
    def of_page(cls, asked: Mapping[str, Any]) -> Wanted:
        page, least = asked.get("page"), asked.get("least")
        return cls(
            str(asked.get("text", ""))[:80].casefold(),
            float(least) if isinstance(least, int | float) and math.isfinite(least) else 0.0,
            str(asked.get("sort", ""))[:80],
            key_of(asked.get("of")),
            asked.get("falling") is not False,
            asked.get("dark") is True,
            page if type(page) is int and page >= 0 else 0,
        )


def key_of(text: object) -> tuple[str, str] | None:
    try:
        found = json.loads(str(text))
    except ValueError:
        return None
    return (str(found[0]), str(found[1])) if isinstance(found, list) and len(found) == 2 else None


def gallery(study: Study, wanted: Wanted) -> Told:
    names = chosen(study, wanted)
    begin = min(wanted.page * AT_ONCE, max(0, len(names) - 1) // AT_ONCE * AT_ONCE)
    shown = names[begin : begin + AT_ONCE]
    return {"count": len(names), "begin": begin, "cards": [card(study, name, wanted) for name in shown]}


def chosen(study: Study, wanted: Wanted) -> list[str]:
    """Names of the photos that pass the filters, in the order that is asked for."""
    from rsi_gradcam.reporting.picking import kept  # noqa: PLC0415 - needs an extra

    names = kept(study)
    methods = [each.key for each in study.methods]
    own = wanted.of if wanted.of in methods else methods[0]
    places = [place for place, name in enumerate(names) if matches(study, name, wanted)]
    if wanted.dark:
        dark = study.scored_dark(own)
        places = [place for place in places if dark[place] == 1]
    if wanted.sort:
        values = numbers(study, wanted.sort, own)
        there = [place for place in places if not math.isnan(values[place])]
        places = sorted(there, key=lambda place: values[place], reverse=wanted.falling)
    return [names[place] for place in places]


def numbers(study: Study, column: str, own: tuple[str, str]) -> Numbers:
    """One for each photo that was kept."""
    metrics = study.configuration["metrics"]
    known = [each["name"] for metric in metrics for each in metric["columns"] if not each["curve"]]
    if column not in known:
        raise ConfigurationError(f"{column[:40]!r} cannot be sorted by: {did_you_mean(column, known)}")
    return study.values(column)[own]


def matches(study: Study, name: str, wanted: Wanted) -> bool:
    category, probability = facts(study)[name]
    return wanted.text in f"{name} {category}".casefold() and (probability or 0.0) >= wanted.least


@lru_cache(maxsize=8)
def facts(study: Study) -> Mapping[str, tuple[str, float | None]]:
    """Class and probability of every photo."""
    rows = study.store.read(("photo", "category", "probability"), kinds=("photo",)).to_pylist()
    names = study.store.manifest["categories"]
    return {
        row["photo"]: ("" if row["category"] is None else names[row["category"]], row["probability"]) for row in rows
    }


def card(study: Study, name: str, wanted: Wanted) -> Told:
    from rsi_gradcam.reporting.specimen import specimens  # noqa: PLC0415 - needs an extra

    specimen = specimens(study).specimen(name)
    titles = {each.key: each for each in study.methods}
    columns = [wanted.sort] if wanted.sort else []
    rows = study.store.read(("method", "layer", *columns), kinds=("method",), photos=[name]).to_pylist()
    values = {(row["method"], row["layer"]): row for row in rows}
    return {
        "name": name,
        "category": specimen.short,
        "p": number(specimen.probability),
        "openable": specimen.photo is not None,
        "maps": [
            {
                "title": f"{series.title} at {study.layer_title(series.layer)}",
                "url": picture_of(specimen, key),
                "dark": specimen.is_dark(key),
                "value": number(values[key][wanted.sort]) if wanted.sort and key in values else None,
            }
            for key, series in titles.items()
            if key in specimen.maps
        ],
    }


def photo_of(study: Study, name: str) -> Image.Image | None:
    """The photo itself, where it can be read."""
    from rsi_gradcam.reporting.specimen import specimens  # noqa: PLC0415 - needs an extra

    photo, _ = specimens(study).seen(name)
    return photo


def picture_of(specimen: Specimen, key: tuple[str, str]) -> str:
    """The map over its photo; alone, where that is out of reach."""
    heatmap = specimen.maps[key]
    if specimen.photo is None:
        drawn = heatmap_picture(heatmap, (SIDE, SIDE))
    else:
        small = shrunk(specimen.photo, SIDE)
        scale = small.size[0] / specimen.photo.size[0]
        boxes = [tuple(edge * scale for edge in box) for box in specimen.boxes]
        drawn = overlay(small, heatmap, preprocess=specimen.preprocess, boxes=boxes)  # type: ignore[arg-type]
    return jpeg(drawn)


def jpeg(image: Image.Image) -> str:
    file = io.BytesIO()
    image.save(file, "JPEG", quality=80)
    return "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
