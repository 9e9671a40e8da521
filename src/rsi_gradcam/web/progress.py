"""How far a run has come, as far as that can be told."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rsi_gradcam import catalog
from rsi_gradcam.methods.base import ModelMethod, PathMethod
from rsi_gradcam.web.choice import Choice

BEFORE = 0.9  # of the bar: what is left is for seeing the photo through each map


@dataclass
class Progress:
    """With steps, the passes are known; with a tolerance the error must fall from one half to it."""

    steps: int | None
    tolerance: float | None
    passes: int = 0
    error: float = math.inf
    share: float = 0.0

    @classmethod
    def of(cls, choice: Choice) -> Progress:
        how = choice.how
        kinds = [catalog.methods()[name] for name in choice.methods]
        if any(issubclass(kind, ModelMethod) for kind in kinds):
            return cls(None, None)  # how many passes they take is their own affair
        if not any(issubclass(kind, PathMethod) for kind in kinds):
            return cls(1, None)
        steps = 50 if "preset" in how else how.get("steps")
        return cls(None if steps is None else int(steps), None if steps else float(how.get("tolerance", 0.01)))

    def looked(self, images: int) -> None:
        self.passes += images
        if self.steps is not None:
            self.reach(self.passes / (self.steps + 1))
        elif self.tolerance is None:
            self.reach(1 - math.exp(-self.passes / 400))
        else:
            self.reach(0.3 * (1 - math.exp(-self.passes / 6)))

    def refined(self, error: float) -> None:
        self.error = error
        if self.tolerance is not None and error > 0:
            self.reach(math.log(max(0.5 / error, 1)) / math.log(0.5 / self.tolerance))

    def reach(self, share: float) -> None:
        """The bar never goes back."""
        self.share = max(self.share, min(share, 1.0) * BEFORE)
