"""What a store says: means with intervals, comparisons, curves, and verdicts in words."""

from __future__ import annotations

from rsi_gradcam.evaluation.summary.summary import Summary, summarise

__all__ = ["Summary", "summarise"]
