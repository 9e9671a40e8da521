"""The paper's one-ReLU network: where its gradient is 0, the integral of the gradient still is the whole change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rsi_gradcam.figures.colours import Values
from rsi_gradcam.figures.course import CURVE, ruled
from rsi_gradcam.figures.sheet import ALARM, INK, Sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BASELINE, INPUT = 0.0, 2.0


def f(x: Values) -> Values:
    return 1 - np.maximum(1 - x, 0)  # eq. relu_network


def one_relu_net() -> Figure:
    """f(x) = 1 − ReLU(1 − x) from the baseline 0 to the input 2, with what each kind of method sees."""
    sheet = Sheet.blank(4.4, 2.9)
    sheet.words("f(x) = 1 − ReLU(1 − x)", 0.15, 0.13, 11, bold=True)
    sheet.words("At the input the gradient says 0, along the path it adds up to 1.", 0.15, 0.38, 9)
    axes = sheet.axes(0.62, 0.75, 3.6, 1.65)
    x = np.linspace(BASELINE, 2.5, 251, dtype=np.float32)
    axes.plot(x, f(x), color=CURVE, linewidth=1.8)
    rising = x[x <= INPUT]
    axes.plot((1.55, 2.45), (1, 1), color=ALARM, linewidth=3.5, alpha=0.6)
    axes.fill_between(rising, (rising < 1).astype(np.float32), step="mid", color=CURVE, alpha=0.15, linewidth=0)
    ends = np.array((BASELINE, INPUT), np.float32)
    axes.plot(ends, f(ends), "o", color=INK, markersize=5, clip_on=False)
    ruled(axes, "x", "f(x)")
    axes.set_xlim(0, 2.5)
    axes.set_ylim(0, 1.25)
    notes = ((1.86, 0.86, "input", INK), (1.6, 1.08, "gradient f′(2) = 0", ALARM))
    for left, up, text, colour in (*notes, (0.235, 0.12, "f′ = 1, so ∫ f′ dx = 1", CURVE)):
        axes.text(left, up, text, size=8, color=colour)
    return sheet.figure
