"""What is known of one map, in plain values."""

from __future__ import annotations

import math
from typing import TypeAlias

from torch import Tensor

from rsi_gradcam import catalog
from rsi_gradcam.cli.answer import Answer
from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.probabilities import probabilities
from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.captions import score_name
from rsi_gradcam.methods.base import PathMethod
from rsi_gradcam.targets import Target, ThroughUnit, Unit
from rsi_gradcam.zoo import Network

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Said: TypeAlias = dict[str, Json]
LIKELIEST = 5


def description(photo: Photo, answer: Answer, network: Network) -> Said:
    """Which photo, which class, how sure; and what is wrong with it."""
    e, index = answer.explanation, answer.index
    return {
        "photo": str(photo.path),
        "size": list(photo.image.size),
        "seen": list(network.preprocess.window(photo.image.size)),
        "sha256": photo.sha256,
        "class": index,
        "category": None if index is None else network.categories[index],
        "score_of": repr(e.target),
        "score_name": score_name(e.target),
        "unit": unit_of(e.target),
        **numbers(e),
        "method": e.method.name,
        "method_in_full": catalog.name_of(e.method),
        "layer": e.layer,
        "predicted": predicted(answer.logits, network),
        "diagnosis": findings(e),
    }


def unit_of(target: Target) -> Said | None:
    """The neuron that is explained, or through which."""
    if not isinstance(target, Unit | ThroughUnit):
        return None
    return {"layer": str(target.layer), "at": list(target.unit), "through": isinstance(target, ThroughUnit)}


def numbers(e: Explanation) -> Said:
    """Only along a path is it known how far the steps' number leaves the map from what it would become."""
    on_path = isinstance(e.method, PathMethod)
    return {
        "score": number(e.score[0]),
        "baseline_score": number(e.baseline_score[0]),
        "residual": number(e.residual[0]),
        "error": number(e.error[0]) if on_path else None,
        "converged": bool(e.converged[0]) if on_path else None,
        "passes": int(e.passes[0]),
        "cancellation": number(e.cancellation[0]),
        "is_cut": e.is_cut,
    }


def number(value: float | Tensor) -> float | None:
    """JSON has no nan."""
    plain = float(value)
    return plain if math.isfinite(plain) else None


def predicted(logits: Tensor | None, network: Network) -> list[Json]:
    """The likeliest classes."""
    if logits is None:
        return []
    likeliest = probabilities(logits).topk(min(LIKELIEST, len(logits)))
    return [
        {"class": index, "category": network.categories[index], "probability": p}
        for p, index in zip(likeliest.values.tolist(), likeliest.indices.tolist(), strict=True)
    ]


def findings(e: Explanation) -> list[Json]:
    return [
        {"cause": found.cause, "message": found.message, "advice": found.advice, "value": number(found.value)}
        for found in diagnose(e)
    ]
