"""A map in one line, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rsi_gradcam.cli.description import Said


def line(said: Mapping[str, Any]) -> str:
    """What a person wants to know of one map."""
    parts = [f"{Path(said['photo']).name}: {what(said)}", f"{said['method_in_full']} at {said['layer']}"]
    if (passes := said["passes"]) > 1:
        parts.append(f"{passes} passes" if said["error"] is None else f"error {said['error']:.2g} in {passes} passes")
    parts += [found["cause"] for found in said["diagnosis"]]
    overlay = said.get("files", {}).get("overlay")
    return ", ".join(parts) + (f" → {overlay}" if overlay else "")


def what(said: Mapping[str, Any]) -> str:
    """The class or the unit that is explained, and how much of it there is."""
    unit = said["unit"]
    place = f"unit ({', '.join(map(str, unit['at']))}) of {unit['layer']}" if unit else ""
    if unit and not unit["through"]:
        return f"{place} {score(said)}"
    shown = f"{str(said['category'] or said['score_of']).split(',', maxsplit=1)[0]} {score(said)}"
    return f"{shown} through {place}" if unit else shown


def score(said: Mapping[str, Any]) -> str:
    """A probability in percent, any other score with its name."""
    if said["score_name"] == "probability":
        return f"{100 * said['score']:.3g}%"
    return f"{said['score_name']} {said['score']:.4g}"


def json_line(said: Said) -> str:
    return json.dumps(said, ensure_ascii=False, allow_nan=False)
