"""The score along the path, and where the integration looked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.figures import captions
from rsi_gradcam.figures.sheet import INK, PALE, Sheet
from rsi_gradcam.zoo.network import Network

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CURVE = "#3b5b92"


def course(explanation: Explanation, *, row: int = 0, network: Network | None = None) -> Figure:
    """The class's score from the baseline to the image, with the points that the integration chose."""
    captions.check_row(explanation, row)
    if not explanation.course:
        method = captions.method_title(explanation.method)
        raise ConfigurationError(f"{method} goes along no path, so there is no course to draw: take rsi_grad_cam")
    walked = explanation.course[row]
    sheet = Sheet.blank(4.4, 3.1)
    sheet.words(captions.class_title(explanation, row, network), 0.15, 0.13, 11, bold=True)
    sheet.words(captions.place_title(explanation, network), 0.15, 0.38, 9)
    axes = sheet.axes(0.62, 0.72, 3.6, 1.75)
    axes.plot(walked.alphas, walked.scores, "-o", color=CURVE, linewidth=1.4, markersize=3.5, clip_on=False, zorder=3)
    ruled(axes, "α, from the baseline to the image", captions.score_name(explanation.target))
    axes.set_xlim(0, 1)
    numbers = [captions.passes(explanation, row), *captions.trust(explanation, row)]
    sheet.words(" · ".join(numbers), 0.15, 2.9, 7.5, colour=PALE)
    return sheet.figure


def ruled(axes: Axes, x: str, y: str) -> None:
    """Ticks, labels and a frame on two sides."""
    axes.set_axis_on()
    axes.set_xlabel(x, size=8, color=INK)
    axes.set_ylabel(y, size=8, color=INK)
    axes.tick_params(labelsize=7.5, colors=INK, length=3)
    axes.grid(visible=True, color="#e4e4e4", linewidth=0.6)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(PALE)
