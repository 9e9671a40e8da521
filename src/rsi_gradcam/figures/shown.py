"""What of a map is drawn: all of it, but for maps of pixels, where a few bright ones would leave the rest dark."""

from __future__ import annotations

from torch import Tensor

from rsi_gradcam.explanation import Explanation

ENOUGH = 0.995  # the share of a map's pixels that is told apart; what is brighter gets the last colour
CLIPPED = "colours end at the 99.5th percentile"


def shown(explanation: Explanation, row: int = 0) -> Tensor:
    """(h, w) in [0, 1]: the heatmap of one image as it is drawn. Its values are those of `.normalised`."""
    heatmap = explanation.normalised[row]
    if not is_of_pixels(explanation):
        return heatmap
    top = heatmap.flatten().float().quantile(ENOUGH)
    return (heatmap / top.to(heatmap)).clamp(max=1) if top > 0 else heatmap


def is_of_pixels(explanation: Explanation) -> bool:
    """Whether the map has a value for each pixel of the input, as those that lie there have."""
    return tuple(explanation.raw.shape[-2:]) == tuple(explanation.size)
