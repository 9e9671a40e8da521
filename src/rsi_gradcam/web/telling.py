"""What the browser is told, in plain values: a short state that is pushed, and maps that it fetches."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from torch import Tensor

from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.images.box import Box
from rsi_gradcam.watching import Key
from rsi_gradcam.web.choice import methods
from rsi_gradcam.web.networks import Loaded
from rsi_gradcam.web.run import Cell, Run
from rsi_gradcam.web.session import Session

Told: TypeAlias = dict[str, Any]


def state(session: Session, notice: str = "") -> Told:
    """All that is short: it is sent whole each time, so that nothing is lost if one is."""
    photo = session.photo
    return {
        "token": session.token,
        "notice": notice or session.fault,
        "photo": None if photo is None else {"id": photo.identity, "name": photo.name},
        "predictions": predictions(session),
        "classes": list(session.classes),
        "run": None if session.run is None else run_state(session.run),
    }


def predictions(session: Session) -> list[Told]:
    if session.loaded is None:
        return []
    names = session.loaded.network.categories
    return [{"index": index, "name": names[index], "p": p} for index, p in session.predictions]


def run_state(run: Run) -> Told:
    progress = run.progress
    return {
        "id": run.identity,
        "state": run.state,
        "fault": run.fault,
        "share": 1.0 if run.state == "done" else progress.share,
        "passes": progress.passes,
        "error": number(progress.error),
        "methods": [{"name": name, "title": methods()[name]} for name in run.choice.methods],
        "layers": [{"path": path, "title": layer_title(run.loaded, path)} for path in run.choice.layers],
        "classes": [{"index": index, "name": run.loaded.network.categories[index]} for index in run.choice.classes],
        "cells": {name_of(key): cell.version for key, cell in dict(run.cells).items()},
    }


def layer_title(loaded: Loaded, path: str) -> str:
    return captions.layer_title(path, loaded.network)


def name_of(key: Key) -> str:
    """A map's name on the page."""
    return "|".join(str(part) for part in key)


def photo_of(session: Session) -> Told | None:
    """The picture, and which part of it the network sees."""
    photo, loaded = session.photo, session.loaded
    if photo is None or loaded is None:
        return None
    preprocess = loaded.network.preprocess
    return {
        "id": photo.identity,
        "name": photo.name,
        "url": photo.shown,
        "size": list(photo.size),
        "window": list(preprocess.window(photo.size)),
        "input": [preprocess.size[1], preprocess.size[0]],
    }


def cell_of(key: Key, cell: Cell, loaded: Loaded) -> Told:
    method, layer, index = key
    said: Told = {"key": name_of(key), "version": cell.version, "method": method, "layer": layer, "index": index}
    if cell.refusal:
        return said | {"done": True, "refusal": cell.refusal}
    if cell.explanation is not None:
        return said | {
            "done": True,
            **of_explanation(cell.explanation, loaded),
            "before": number(cell.before),
            "explained": number(cell.probability),
        }
    assert cell.heat is not None
    return said | {"done": False, "raw": array(cell.heat), "shape": list(cell.heat.shape), "evidence": "positive"}


def of_explanation(e: Explanation, loaded: Loaded) -> Told:
    return {
        "raw": array(e.raw[0]),
        "shape": list(e.raw.shape[-2:]),
        "evidence": e.method.evidence,
        "epsilon": e.epsilon,
        "place": captions.place_title(e, loaded.network),
        "scoreName": captions.score_name(e.target),
        "score": number(e.score[0]),
        "baselineScore": number(e.baseline_score[0]),
        "residual": number(e.residual[0]),
        "residualShare": number(captions.residual_share(e, 0)),
        "error": number(e.error[0]),
        "tolerance": e.tolerance,
        "converged": bool(e.converged[0]),
        "passes": int(e.passes[0]),
        "cancellation": number(e.cancellation[0]),
        "isCut": e.is_cut,
        "precision": e.precision,
        "dark": bool(e.is_dark()[0]),
        "diagnosis": [{"cause": each.cause, "message": each.message, "advice": each.advice} for each in diagnose(e)],
        "course": {"alphas": e.course[0].alphas, "scores": e.course[0].scores} if e.course else None,
        "forming": forming(e),
    }


def forming(e: Explanation) -> Told | None:
    if not e.forming:
        return None
    first = e.forming[0]
    return {"alphas": first.alphas, "maps": array(first.maps), "shape": list(first.maps.shape)}


def array(values: Tensor) -> str:
    """Float32 in little-endian bytes, row by row, as base64."""
    return base64.b64encode(values.detach().cpu().numpy().astype(np.dtype("<f4")).tobytes()).decode()


def number(value: float | Tensor | None) -> float | None:
    """JSON has neither nan nor infinity."""
    plain = math.nan if value is None else float(value)
    return plain if math.isfinite(plain) else None


def pulled(session: Session, have: Mapping[str, object], photo: object) -> Told:
    """What the browser does not have yet."""
    run = session.run
    cells = dict(run.cells) if run else {}
    return {
        "photo": photo_of(session) if session.photo and photo != session.photo.identity else None,
        "run": run.identity if run else None,
        "cells": [
            cell_of(key, cell, run.loaded)
            for key, cell in cells.items()
            if run and have.get(name_of(key)) != cell.version
        ],
    }


def box_of(given: object) -> Box | None:
    """A box from the page, if it is one."""
    if not isinstance(given, list) or len(given) != 4 or not all(isinstance(each, int | float) for each in given):
        return None
    left, top, right, bottom = (float(each) for each in given)
    return Box(left, top, right, bottom) if right > left and bottom > top and all(map(math.isfinite, given)) else None
