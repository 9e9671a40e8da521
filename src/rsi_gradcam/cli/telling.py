"""A map in one line, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rsi_gradcam.cli.description import Said


def line(said: Mapping[str, Any]) -> str:
    """What a person wants to know of one map."""
    shown, passes = str(said["category"] or said["score_of"]).split(",", maxsplit=1)[0], said["passes"]
    parts = [f"{Path(said['photo']).name}: {shown} {score(said)}", f"{said['method']} at {said['layer']}"]
    if passes > 1 and said["error"] is not None:
        parts.append(f"error {said['error']:.2g} in {passes} passes")
    parts += [found["cause"] for found in said["diagnosis"]]
    overlay = said.get("files", {}).get("overlay")
    return ", ".join(parts) + (f" → {overlay}" if overlay else "")


def score(said: Mapping[str, Any]) -> str:
    """A probability in percent, any other score with its name."""
    if said["score_name"] == "probability":
        return f"{100 * said['score']:.3g}%"
    return f"{said['score_name']} {said['score']:.4g}"


def json_line(said: Said) -> str:
    return json.dumps(said, ensure_ascii=False, allow_nan=False)
