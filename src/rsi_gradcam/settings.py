"""How the integral is taken, and the presets that set it all at once."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Literal

from rsi_gradcam.errors import ConfigurationError, did_you_mean
from rsi_gradcam.targets import ClassTarget, Probability, Softmax

Precision = Literal["auto", "float32"]

TOLERANCE = 0.01
MAX_PASSES = 129
PRESETS = ("paper",)


@dataclass(frozen=True)
class Settings:
    """Fixed `steps`, or a `tolerance` for the mean absolute error of the heatmap; and what goes with them."""

    steps: int | None = None
    tolerance: float | None = None
    max_passes: int = MAX_PASSES
    precision: Precision = "auto"
    epsilon: float = 0.0
    batch_size: int | None = None
    paper: bool = False
    forming: bool = False

    def __post_init__(self) -> None:
        if self.steps is not None and self.tolerance is not None:
            raise ConfigurationError(
                f"steps={self.steps} and tolerance={self.tolerance} exclude each other: give one"
            )
        for name, least in (("steps", 1), ("max_passes", 8), ("batch_size", 1)):
            object.__setattr__(self, name, whole(name, getattr(self, name), least))
        for name in ("tolerance", "epsilon"):
            object.__setattr__(self, name, number(name, getattr(self, name)))
        if self.tolerance is not None and not 0 < self.tolerance < 1:
            raise ConfigurationError(f"tolerance must lie between 0 and 1, got {self.tolerance!r}")
        if self.precision not in ("auto", "float32"):
            raise ConfigurationError(f"precision must be auto or float32, got {self.precision!r}")
        if not self.epsilon >= 0:
            raise ConfigurationError(f"epsilon must be 0 or more, got {self.epsilon!r}")

    @property
    def score(self) -> type[ClassTarget]:
        """What a bare class index means."""
        return Softmax if self.paper else Probability


def whole(name: str, value: object, least: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not hasattr(value, "__index__") or index(value) < least:
        raise ConfigurationError(f"{name} must be a whole number of {least} or more, got {value!r}")
    return index(value)


def number(name: str, value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise ConfigurationError(f"{name} must be a number, got {value!r}")
    return float(value)


def settle(
    preset: str | None = None,
    *,
    steps: int | None = None,
    tolerance: float | None = None,
    max_passes: int | None = None,
    precision: Precision | None = None,
    epsilon: float | None = None,
    batch_size: int | None = None,
    forming: bool = False,
) -> Settings:
    """The settings that hold, given what was said: what is said outweighs the preset."""
    if preset is not None and preset not in PRESETS:
        raise ConfigurationError(f"preset {preset!r} is not a preset: {did_you_mean(preset, PRESETS)}")
    paper = preset == "paper"
    if steps is None and tolerance is None:
        steps, tolerance = (50, None) if paper else (None, TOLERANCE)
    return Settings(
        steps=steps,
        tolerance=tolerance,
        max_passes=MAX_PASSES if max_passes is None else max_passes,
        precision=precision or ("float32" if paper else "auto"),
        epsilon=(1e-8 if paper else 0.0) if epsilon is None else epsilon,
        batch_size=batch_size,
        paper=paper,
        forming=forming,
    )
