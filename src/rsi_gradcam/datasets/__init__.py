"""Data sets: photos with labels and boxes, one reader per file; `base` says what a data set is."""

from rsi_gradcam.datasets.base import Dataset, Example

__all__ = ["Dataset", "Example"]
