"""What a user chose to have explained, and how: checked, since a page can send anything."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache

from rsi_gradcam import catalog
from rsi_gradcam.baselines import Baseline
from rsi_gradcam.baselines.base import PixelBaseline
from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.figures.captions import method_title
from rsi_gradcam.images import Preprocess
from rsi_gradcam.web.limits import CELLS

PAPER = "as in the paper"
EXACTNESS = (
    "tolerance 0.05", "tolerance 0.02", "tolerance 0.01", "tolerance 0.005", "tolerance 0.002",
    "10 steps", "20 steps", "50 steps", "100 steps", "200 steps", PAPER,
)  # fmt: skip
USUAL = "tolerance 0.01"
MOST_STEPS = 512
FINEST = 0.0005


@dataclass(frozen=True)
class Choice:
    """Everything but the photo."""

    model: str
    methods: tuple[str, ...]
    layers: tuple[str, ...]  # paths of modules
    classes: tuple[int, ...]
    baseline: str = "black"
    exactness: str = USUAL

    def check(self) -> Choice:
        for name, known in (("method", methods()), ("baseline", baselines())):
            for given in self.methods if name == "method" else (self.baseline,):
                if given not in known:
                    raise ConfigurationError(f"{given!r} is no {name} of this page: {did_you_mean(given, known)}")
        cells = len(self.methods) * len(self.layers) * len(self.classes)
        if not cells:
            raise ConfigurationError("nothing to show: choose a method, a layer and a class")
        if cells > CELLS:
            raise ConfigurationError(f"{cells} maps are more than fit on the page: choose at most {CELLS}")
        _ = self.how
        return self

    @property
    def how(self) -> Mapping[str, int | float | str]:
        """As keywords of `explain_all`."""
        if self.exactness == PAPER:
            return {"preset": "paper"}
        if steps := re.fullmatch(r"(\d{1,4}) steps?", self.exactness.strip()):
            return {"steps": within(int(steps[1]), 1, MOST_STEPS, "steps")}
        if tolerance := re.fullmatch(r"(?:tolerance )?(0?\.\d{1,6})", self.exactness.strip()):
            return {"tolerance": within(float(tolerance[1]), FINEST, 0.5, "the tolerance")}
        raise ConfigurationError(f"{self.exactness[:40]!r} is no exactness: write 'tolerance 0.01' or '50 steps'")

    def start(self, preprocess: Preprocess) -> Baseline:
        """The baseline, of the pixels that this network takes."""
        baseline = catalog.baseline(self.baseline)
        if isinstance(baseline, PixelBaseline):
            return replace(baseline, mean=preprocess.mean, std=preprocess.std)
        return baseline


def within(value: float, low: float, high: float, what: str) -> float:
    if not low <= value <= high:
        raise ConfigurationError(f"{what} must lie between {low:g} and {high:g} here, got {value:g}")
    return value


@cache
def methods() -> Mapping[str, str]:
    """Name → title of each method that can be made without parameters, and whose extra is installed."""
    found = {}
    for name, kind in catalog.methods().items():
        extra = getattr(kind, "requires", None)
        if not needed(kind) and (extra is None or importlib.util.find_spec(extra)):
            found[name] = method_title(kind())
    return found


@cache
def baselines() -> Mapping[str, str]:
    """Name → what it is."""
    found = {name: kind.summary for name, kind in catalog.baselines().items() if not needed(kind)}
    return {"black": found.pop("black"), **found}


def needed(kind: type) -> list[str]:
    """The fields without which it cannot be made."""
    return [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]
