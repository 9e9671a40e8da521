"""Pictures: overlays and bare heatmaps with Pillow alone, titled figures with the extra "figures" (matplotlib)."""

from rsi_gradcam.figures.colours import COLOUR_MAPS
from rsi_gradcam.figures.comparison import comparison
from rsi_gradcam.figures.course import course
from rsi_gradcam.figures.heatmap_picture import heatmap_picture
from rsi_gradcam.figures.one_relu_net import one_relu_net
from rsi_gradcam.figures.overlay import overlay
from rsi_gradcam.figures.picture import picture
from rsi_gradcam.figures.sheet import save, to_image

__all__ = [
    "COLOUR_MAPS",
    "comparison",
    "course",
    "heatmap_picture",
    "one_relu_net",
    "overlay",
    "picture",
    "save",
    "to_image",
]
