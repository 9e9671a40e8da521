"""The report of an evaluation: one HTML file that asks nothing of any other."""

from rsi_gradcam.reporting.report.page import report

__all__ = ["report"]
