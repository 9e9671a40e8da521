"""Controls: trivial maps beside which a method has to show what it is worth, one per file."""

from rsi_gradcam.controls.base import Control, View

__all__ = ["Control", "View"]
