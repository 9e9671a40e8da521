"""Metrics of maps, one per file; `base` says what a metric is."""

from rsi_gradcam.metrics.base import Metric, Probe, Seen

__all__ = ["Metric", "Probe", "Seen"]
