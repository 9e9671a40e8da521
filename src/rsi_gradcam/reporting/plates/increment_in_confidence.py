"""What the network makes of the explanation map, against how sure it was of the photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rsi_gradcam.reporting.plates.against import Panel, against_panels
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.study import Study


@dataclass(frozen=True)
class IncrementInConfidence(Plate):
    """fig. increment-in-confidence-block5 and -block4: one for each layer."""

    name: ClassVar[str] = "increment_in_confidence"
    label: ClassVar[str] = "increment-in-confidence"
    summary: ClassVar[str] = "average drop and increase in confidence against p, for each layer"

    def missing(self, study: Study) -> str:
        return study.lacks("average_drop")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        drop = study.against_p(study.column("average_drop", "drop"))
        increase = study.against_p(study.column("average_drop", "increase"))
        made = []
        for layer in study.layers:
            panels = (
                Panel("Average drop", "share of p lost, lower is better", layer, drop),
                Panel("Increase in confidence", "share of photos, higher is better", layer, increase),
            )
            title = f"Average drop and increase in confidence at {study.layer_title(layer)}"
            caption = f"What is left of p, and how often it grows, when only the heatmap's part is shown: {title}."
            figure = against_panels(study, title, panels)
            made.append(Drawn(f"{self.label}-{study.slug(layer)}", caption, figure))
        return tuple(made)
