"""One photo of the gallery: who it is, and a picture for each map."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rsi_gradcam.images import Box
from rsi_gradcam.reporting.report.markup import escaped, number, percent
from rsi_gradcam.reporting.report.thumbnails import map_uri, photo_uri
from rsi_gradcam.reporting.series import Series
from rsi_gradcam.reporting.specimen import Specimen
from rsi_gradcam.reporting.study import Study

Values = Mapping[tuple[str, str], Mapping[str, float | None]]


def card(study: Study, specimen: Specimen, values: Values, index: int) -> str:
    """Its numbers stand in `data-values`, for the script that sorts."""
    there = [each for each in study.series if each.key in specimen.maps]
    dark = any(specimen.is_dark(each.key) for each in there if not each.control)
    numbers = {json.dumps(key): found for key, found in values.items() if key in specimen.maps}
    photo = photo_uri(specimen.photo) if specimen.photo is not None else ""
    layers = "".join(
        group(study, specimen, [each for each in there if each.layer == layer], bool(photo))
        for layer in dict.fromkeys(each.layer for each in there)
    )
    return (
        f'<li class="card" data-index="{index}" data-p="{specimen.probability or 0!r}" data-dark="{int(dark)}" '
        f'data-text="{escaped(f"{specimen.name} {specimen.category}".lower())}" '
        f'data-values="{escaped(json.dumps(numbers))}" style="--photo:url({photo})">'
        f"<h3>{escaped(specimen.short)} <span>{percent(specimen.probability)}</span></h3>"
        f'<p class="name">{escaped(specimen.name)}</p>{layers}</li>'
    )


def group(study: Study, specimen: Specimen, series: Sequence[Series], photo: bool) -> str:
    """The maps at one layer, the photo first."""
    layer = series[0].layer
    pictures = "".join(shown(study, specimen, each, photo) for each in series)
    return (
        f'<div class="layer" data-layer="{escaped(layer)}"><h4>{escaped(study.layer_title(layer))}</h4>'
        f'<div class="maps">{plain(specimen) if photo else ""}{pictures}</div></div>'
    )


def plain(specimen: Specimen) -> str:
    """The photo itself, with its boxes."""
    frame = f'<div class="picture" style="--ratio:{ratio(specimen)}"><div class="photo"></div>{boxes(specimen)}</div>'
    return f'<figure class="map whole">{frame}<figcaption>photo</figcaption></figure>'


def shown(study: Study, specimen: Specimen, series: Series, photo: bool) -> str:
    heatmap, dark = specimen.maps[series.key], specimen.is_dark(series.key)
    where = f' style="{window(specimen)}"' if photo else ""
    inside = f'<img class="bare" src="{map_uri(heatmap, veil=False)}" alt=""{where}>'
    if photo:
        veil = f'<img class="veil" src="{map_uri(heatmap, veil=True)}" alt=""{where}>'
        inside = f'<div class="photo"></div>{veil}{inside}{boxes(specimen)}'
    said = f"{series.title} at {study.layer_title(series.layer)}{', dark' if dark else ''}"
    kind = "control" if series.control else "method"
    return (
        f'<figure class="map {kind}" data-key="{escaped(json.dumps(series.key))}">'
        f'<div class="picture" role="img" aria-label="{escaped(said)}" style="--ratio:{ratio(specimen)}">'
        f"{inside}</div>"
        f'<figcaption><b>{escaped(series.title)}</b>{" <em>dark</em>" if dark else ""}<span class="value"></span>'
        "</figcaption></figure>"
    )


def ratio(specimen: Specimen) -> str:
    width, height = specimen.photo.size if specimen.photo is not None else specimen.preprocess.size[::-1]
    return number(width / height)


def window(specimen: Specimen) -> str:
    """Where the network's input lies on the photo."""
    assert specimen.photo is not None
    return placed(specimen.preprocess.window(specimen.photo.size), specimen)


def boxes(specimen: Specimen) -> str:
    return "".join(f'<i class="box" style="{placed(box, specimen)}"></i>' for box in specimen.boxes)


def placed(box: Box, specimen: Specimen) -> str:
    """As shares of the photo."""
    assert specimen.photo is not None
    width, height = specimen.photo.size
    return (
        f"left:{100 * box.left / width:.2f}%;top:{100 * box.top / height:.2f}%;"
        f"width:{100 * box.width / width:.2f}%;height:{100 * box.height / height:.2f}%"
    )
