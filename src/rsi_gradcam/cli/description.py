"""What is known of one map, in plain values."""

from __future__ import annotations

import math
from typing import TypeAlias

from torch import Tensor

from rsi_gradcam.cli.photos import Photo
from rsi_gradcam.cli.question import Answer
from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures.captions import score_name
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
        "sha256": photo.sha256,
        "class": index,
        "category": None if index is None else network.categories[index],
        "score_of": repr(e.target),
        "score_name": score_name(e.target),
        **numbers(e),
        "method": e.method.name,
        "layer": e.layer,
        "predicted": predicted(answer.logits, network),
        "diagnosis": findings(e),
    }


def numbers(e: Explanation) -> Said:
    return {
        "score": number(e.score[0]),
        "baseline_score": number(e.baseline_score[0]),
        "residual": number(e.residual[0]),
        "error": number(e.error[0]),
        "converged": bool(e.converged[0]),
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
    likeliest = logits.softmax(0).topk(min(LIKELIEST, len(logits)))
    return [
        {"class": index, "category": network.categories[index], "probability": p}
        for p, index in zip(likeliest.values.tolist(), likeliest.indices.tolist(), strict=True)
    ]


def findings(e: Explanation) -> list[Json]:
    return [
        {"cause": found.cause, "message": found.message, "advice": found.advice, "value": number(found.value)}
        for found in diagnose(e)
    ]
