"""How the integral is taken, and the presets that set it all at once."""

from __future__ import annotations

from dataclasses import dataclass
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
        if self.steps is not None and (not isinstance(self.steps, int) or self.steps < 1):
            raise ConfigurationError(f"steps must be a whole number of 1 or more, got {self.steps!r}")
        if self.tolerance is not None and not 0 < self.tolerance < 1:
            raise ConfigurationError(f"tolerance must lie between 0 and 1, got {self.tolerance!r}")
        if self.max_passes < 8:
            raise ConfigurationError(f"max_passes must be 8 or more, got {self.max_passes!r}")
        if self.precision not in ("auto", "float32"):
            raise ConfigurationError(f"precision must be auto or float32, got {self.precision!r}")
        if not self.epsilon >= 0:
            raise ConfigurationError(f"epsilon must be 0 or more, got {self.epsilon!r}")
        if self.batch_size is not None and (not isinstance(self.batch_size, int) or self.batch_size < 1):
            raise ConfigurationError(f"batch_size must be a whole number of 1 or more, got {self.batch_size!r}")

    @property
    def score(self) -> type[ClassTarget]:
        """What a bare class index means."""
        return Softmax if self.paper else Probability


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
