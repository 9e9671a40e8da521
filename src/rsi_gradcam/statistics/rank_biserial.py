"""How one-sided differences are, as one number."""

from __future__ import annotations

from rsi_gradcam.statistics.wilcoxon import SignedRanks


def rank_biserial(ranks: SignedRanks) -> float:
    """(W⁺ − W⁻) / (W⁺ + W⁻): 1 if all differences are above 0, −1 if all below, 0 if they balance or are none."""
    total = ranks.positive + ranks.negative
    return (ranks.positive - ranks.negative) / total if total else 0.0
