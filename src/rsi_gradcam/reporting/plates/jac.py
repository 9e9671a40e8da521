"""How well the region above a threshold fits the box, for every threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rsi_gradcam.evaluation.summary.curves import Curve
from rsi_gradcam.reporting.board import Board
from rsi_gradcam.reporting.plates.base import Drawn, Plate
from rsi_gradcam.reporting.plates.courses import all_drawn, draw_band, draw_line, legend
from rsi_gradcam.reporting.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = {"iou": "Intersection over union", "iob": "Intersection over box", "ior": "Intersection over region"}
NOTE = "Region: where the heatmap is above the threshold. Lines: means over the photos; bands: 95% intervals."
Curves = Mapping[str, Mapping[tuple[str, str], Curve]]


@dataclass(frozen=True)
class Jac(Plate):
    """fig. jac-block5 and jac-block4: IoU, IoB and IoR by threshold, one for each layer."""

    name: ClassVar[str] = "jac"
    label: ClassVar[str] = "jac"
    summary: ClassVar[str] = "IoU, IoB and IoR of region and box by threshold, for each layer"

    def missing(self, study: Study) -> str:
        return study.lacks("overlap") or study.without_boxes("overlap", "iou")

    def draw(self, study: Study) -> tuple[Drawn, ...]:
        curves = {part: study.by_threshold(study.column("overlap", part)) for part in PARTS}
        caption = "How the region above a threshold and the box overlap, at {}."
        return tuple(
            Drawn(
                f"{self.label}-{study.slug(layer)}",
                caption.format(study.layer_title(layer)),
                threshold_panels(study, layer, curves),
            )
            for layer in study.layers
        )


def threshold_panels(study: Study, layer: str, curves: Curves) -> Figure:
    drawn = all_drawn(study, [layer])
    title = f"Region and box at {study.layer_title(layer)}"
    board = Board(title, study.ground, (NOTE,), len(PARTS), (2.5, 1.9), keys=list(drawn))
    for index, (part, heading) in enumerate(PARTS.items()):
        acronym = f"{part[0].upper()}o{part[-1].upper()}"
        axes = board.panel_at(0, index, heading, "threshold, share of the maximum", f"{acronym}, higher is better")
        for each in study.at(layer):
            if each.key in curves[part]:
                curve = curves[part][each.key]
                points, ends = np.array(curve.points), np.array(curve.intervals)
                draw_band(axes, each, points, ends[:, 0], ends[:, 1])
                draw_line(axes, each, points, np.array(curve.means), marks=True)
        axes.set_xlim(0, 1)
        axes.set_ylim(bottom=0)
        if index == 0:
            legend(board, axes, drawn)
    return board.figure
