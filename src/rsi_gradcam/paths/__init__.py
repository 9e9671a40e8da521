"""How one gets from the baseline to the image, one kind of path per file."""

from rsi_gradcam.paths.base import Path
from rsi_gradcam.paths.curve import Curve
from rsi_gradcam.paths.points import Points
from rsi_gradcam.paths.straight import Straight
from rsi_gradcam.paths.unblur import Unblur

__all__ = ["Curve", "Path", "Points", "Straight", "Unblur"]
