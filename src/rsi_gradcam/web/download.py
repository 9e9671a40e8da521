"""What can be taken away: pictures, values, a script. Made in memory: no file is written for it."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rsi_gradcam.errors import ConfigurationError, MissingExtra
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import heatmap_picture, overlay, picture
from rsi_gradcam.figures.colours import COLOUR_MAPS, DEFAULT
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.images.box import Box
from rsi_gradcam.watching import Key
from rsi_gradcam.web.limits import SAVED
from rsi_gradcam.web.run import Run
from rsi_gradcam.web.script import script
from rsi_gradcam.web.telling import Told, box_of, name_of


@dataclass(frozen=True)
class Look:
    """How the picture is shown, checked."""

    colours: str = DEFAULT
    opacity: float = 0.7
    threshold: float | None = None
    view: str = "overlay"
    box: Box | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any], box: object) -> Look:
        colours = given.get("colours")
        contour = share(given.get("threshold"), 0.5) if given.get("contour") else None
        return cls(
            colours if colours in COLOUR_MAPS else DEFAULT,
            share(given.get("opacity"), 0.7),
            contour,
            "heatmap" if given.get("view") == "heatmap" else "overlay",
            box_of(box),
        )

    def keywords(self, scale: float = 1.0) -> dict[str, Any]:
        """Of `overlay`."""
        said: dict[str, Any] = {"colours": self.colours, "alpha": self.opacity}
        if self.threshold is not None:
            said["threshold"] = self.threshold
        if self.box is not None:
            said["boxes"] = [tuple(round(edge * scale, 2) for edge in self.box)]
        return said

    def written(self) -> str:
        return ", ".join(f"{name}={value!r}" for name, value in self.keywords().items())


def share(value: object, usual: float) -> float:
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else usual


def take(run: Run, kind: str, key: str, look: Look) -> Told:
    """{name, mime, data}, the data as base64."""
    if kind not in KINDS:
        raise ConfigurationError(f"{kind!r} cannot be taken away: {', '.join(KINDS)} can")
    made = {name_of(each): cell.explanation for each, cell in dict(run.cells).items() if cell.explanation}
    if not made:
        raise ConfigurationError("no map is finished yet: wait for it")
    make, ending, mime = KINDS[kind]
    chosen = made.get(key) or next(iter(made.values()))
    stem = "".join(letter if letter.isalnum() else "_" for letter in run.photo.name.rsplit(".", 1)[0])
    name = f"{stem}.{ending}" if kind in ("npz", "script") else f"{stem}.{chosen.method.name}.{chosen.layer}.{ending}"
    return {"name": name, "mime": mime, "data": base64.b64encode(make(run, chosen, look)).decode()}


def as_png(run: Run, e: Explanation, look: Look) -> bytes:
    photo = run.photo.small(SAVED)
    if look.view == "heatmap":
        drawn = heatmap_picture(e.normalised[0], (e.size[1], e.size[0]), colours=look.colours)
    else:
        scale = photo.size[0] / run.photo.size[0]
        keywords = look.keywords(scale)
        drawn = overlay(photo, e.normalised[0], preprocess=run.loaded.network.preprocess, **keywords)
    file = io.BytesIO()
    drawn.save(file, "PNG")
    return file.getvalue()


def as_svg(run: Run, e: Explanation, look: Look) -> bytes:
    try:
        photo = run.photo.small(SAVED // 2)
        keywords = look.keywords(photo.size[0] / run.photo.size[0])
        figure = picture(photo, e, network=run.loaded.network, **keywords)
    except ImportError as error:
        raise MissingExtra("a picture with words", "figures") from error
    file = io.BytesIO()
    figure.savefig(file, format="svg", facecolor="white", metadata={"Date": None})
    return file.getvalue()


def as_npz(run: Run, _chosen: Explanation, _look: Look) -> bytes:
    arrays: dict[str, Any] = {}
    for key, cell in dict(run.cells).items():
        if cell.explanation is not None:
            arrays |= values_of(key, cell.explanation)
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def values_of(key: Key, e: Explanation) -> dict[str, Any]:
    name = ".".join(map(str, key))
    values = {"raw": e.raw[0], "signed": e.signed[0], "heatmap": upsample(e.normalised, e.size)[0]}
    if e.weights is not None:
        values["weights"] = e.weights[0]
    arrays: dict[str, Any] = {f"{name}/{what}": value.detach().cpu().numpy() for what, value in values.items()}
    numbers = ("score", "baseline_score", "residual", "error", "passes")
    arrays |= {f"{name}/{number}": np.array(float(getattr(e, number)[0])) for number in numbers}
    if e.course:
        arrays |= {f"{name}/alphas": np.array(e.course[0].alphas), f"{name}/scores": np.array(e.course[0].scores)}
    return arrays


def as_script(run: Run, _chosen: Explanation, look: Look) -> bytes:
    return script(run, look.written()).encode()


KINDS: dict[str, tuple[Callable[[Run, Explanation, Look], bytes], str, str]] = {
    "png": (as_png, "png", "image/png"),
    "svg": (as_svg, "svg", "image/svg+xml"),
    "npz": (as_npz, "npz", "application/octet-stream"),
    "script": (as_script, "py", "text/x-python"),
}
