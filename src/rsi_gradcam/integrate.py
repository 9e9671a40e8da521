"""From walks to integrals: with fixed steps, or to a tolerance."""

from __future__ import annotations

from collections.abc import Sequence

from rsi_gradcam.adaptive import to_tolerance
from rsi_gradcam.fixed import with_steps
from rsi_gradcam.walks import Walk
from rsi_gradcam.wanted import Integrated, Wanted


def integrate(walks: Sequence[Walk], wanted: Wanted) -> list[Integrated]:
    """The integrals of each image of the walks' group; several walks are averaged over."""
    if wanted.settings.steps is not None:
        return with_steps(walks, wanted, wanted.settings.steps)
    return to_tolerance(walks, wanted)
