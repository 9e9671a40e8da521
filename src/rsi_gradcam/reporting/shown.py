"""What of a raw map the run showed and scored: by the manifest, since the store holds raw maps alone."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, cast

from torch import Tensor

from rsi_gradcam import catalog
from rsi_gradcam.heatmap import normalise
from rsi_gradcam.methods.base import Evidence, check_evidence, evident


def evidence_by_name(configuration: Mapping[str, Any]) -> Mapping[str, Evidence]:
    """Of each method and control by its name in the store. A control's map is normalised as it is."""
    methods = {each["name"]: evidence_of(each) for each in configuration["methods"]}
    return methods | {each["name"]: "signed" for each in configuration["controls"]}


def evidence_of(said: Mapping[str, Any]) -> Evidence:
    """Of a method: as its repr has it, which has every field; else as the method has it by itself."""
    call = ast.parse(said["configuration"], mode="eval").body
    words = {word.arg: word.value for word in call.keywords} if isinstance(call, ast.Call) else {}
    if "evidence" in words:
        found = ast.literal_eval(words["evidence"])
        check_evidence(found)
        return cast(Evidence, found)
    kind = catalog.methods().get(said["name"].partition("(")[0])
    return "positive" if kind is None else kind.evidence


def scored(raw: Tensor, evidence: Evidence, epsilon: float) -> Tensor:
    """(h, w) in [0, 1] of a raw map (h, w), at its own resolution."""
    return normalise(evident(raw, evidence)[None], epsilon)[0]
