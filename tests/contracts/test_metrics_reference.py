"""The reference of the metrics has each, with its conventions and presets as they are."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from rsi_gradcam import metrics

METRICS = metrics.catalogue()
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "metrics.md"


@pytest.mark.parametrize("name", METRICS)
def test_the_reference_has_its_row_with_its_conventions_and_presets(name):
    (row,) = [line for line in PAGE.read_text().splitlines() if line.startswith(f"| `{name}` |")]
    for field in dataclasses.fields(METRICS[name]):
        assert f"`{field.name}`" in row
    for preset, fields in METRICS[name].presets.items():
        said = ", ".join(f"`{field}={value!r}`" for field, value in fields.items())
        assert not fields or f"`{preset}`: {said}" in row
