"""Photos with all their maps, to be sorted and filtered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rsi_gradcam.reporting.report.card import card
from rsi_gradcam.reporting.report.choice import chosen, headlines
from rsi_gradcam.reporting.report.markup import escaped, options, section
from rsi_gradcam.reporting.specimen import specimens
from rsi_gradcam.reporting.study import Study

Values = Mapping[tuple[str, str], Mapping[str, float | None]]


def gallery(study: Study, most: int = 60, photos: bool = True) -> str:
    """At most so many photos; heatmaps alone where photos are not wanted, or cannot be read."""
    found, names = specimens(study), chosen(study, most)
    columns = headlines(study)
    numbers = values_of(study, names, columns)
    shown = [found.specimen(name, photo=photos) for name in names]
    cards = [card(study, each, numbers[each.name], index) for index, each in enumerate(shown)]
    inside = sum(each.photo is not None for each in shown)
    parts = [
        f'<p class="note">{said(study, len(names), inside, found.why if photos else "")}</p>',
        tools(study, columns, overlays=inside > 0),
        '<p class="note" id="shown" role="status"></p>',
        f'<ol class="cards" id="cards">{"".join(cards)}</ol>',
    ]
    return section("photos", "Photos", parts)


def values_of(study: Study, names: Sequence[str], columns: Sequence[str]) -> Mapping[str, Values]:
    """By photo: of each map its headline numbers."""
    found: dict[str, dict[tuple[str, str], dict[str, float | None]]] = {name: {} for name in names}
    wanted = ("photo", "method", "layer", *columns)
    for start in range(0, len(names), 50):
        rows: list[dict[str, Any]] = study.store.read(wanted, photos=names[start : start + 50]).to_pylist()
        for row in rows:
            found[row["photo"]][row["method"], row["layer"]] = {name: row[name] for name in columns}
    return found


def said(study: Study, shown: int, inside: int, why: str) -> str:
    kept = study.store.funnel()["kept"]
    if shown < kept:
        which = f"{shown:,} of {kept:,} photos: those at both ends of every measure, the rest evenly spread over p."
    else:
        which = f"All {kept:,} photos."
    if inside:
        warning = f"<strong>{inside:,} photos are inside this file</strong>: mind their licence when you pass it on."
        return f"{which} {warning}"
    return f"{which} Heatmaps alone" + (f": {escaped(why)}." if why else "; no photo is inside this file.")


def tools(study: Study, columns: Sequence[str], *, overlays: bool) -> str:
    """Sorting and filtering; without a script they are not shown, and everything is."""
    better = {each["name"]: each["better"] for metric in study.configuration["metrics"] for each in metric["columns"]}
    measures = options(
        [("index", "the data set's order"), ("p", "p"), *((name, name.replace("_", " ")) for name in columns)]
    )
    whose = options(
        [(json.dumps(each.key), f"{each.title} at {study.layer_title(each.layer)}") for each in study.methods]
    )
    layers = options([("", "all"), *((path, study.layer_title(path)) for path in study.layers)])
    view = '<label><input type="checkbox" name="bare"> heatmaps alone</label>' if overlays else ""
    return (
        f'<form class="tools" id="tools" data-better=\'{escaped(json.dumps(better))}\'>'
        f'<label>Sort by <select name="by">{measures}</select></label>'
        f'<label>of <select name="of">{whose}</select></label>'
        '<label>from <select name="end"><option value="best">best or high</option>'
        '<option value="worst">worst or low</option></select></label>'
        '<label>Name or class holds <input type="search" name="text" autocomplete="off"></label>'
        '<label>p from <input type="number" name="least" min="0" max="1" step="any" value="0"></label>'
        '<label><input type="checkbox" name="dark"> with a dark map</label>'
        f'<label>Layer <select name="layer">{layers}</select></label>'
        f'<label><input type="checkbox" name="controls"> controls</label>{view}</form>'
    )
