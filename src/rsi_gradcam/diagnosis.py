"""In words: why a map is dark or odd, with the number that shows it and what to try."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rsi_gradcam.explanation import Explanation
from rsi_gradcam.heatmap import spread
from rsi_gradcam.inputs import alike
from rsi_gradcam.methods.base import EndpointMethod, PathMethod
from rsi_gradcam.targets import Probability, Softmax

DARK = 1e-8  # the paper's ε
SATURATED = 0.999  # a probability beyond which its gradient is small
CANCELLED = 0.02  # what is left of a sum whose terms cancel
RESIDUE = 0.05  # of the change of the score
COARSE = 0.05  # error of a map whose steps are too few


@dataclass(frozen=True)
class Diagnosis:
    """One finding about one image's map. `cause` is its short name."""

    cause: str
    message: str
    advice: str
    value: float

    def __str__(self) -> str:
        return f"{self.message} {self.advice}"


def diagnose(explanation: Explanation, row: int = 0) -> list[Diagnosis]:
    """What is wrong with the map of one image of the batch; an empty list where nothing is."""
    return [found for look in LOOKS for found in look(explanation, row)]


def not_a_number(e: Explanation, row: int) -> Iterator[Diagnosis]:
    if not bool(e.signed[row].isfinite().all()) or not math.isfinite(float(e.score[row])):
        yield Diagnosis(
            "not a number",
            "The map or the score has values that are nan or infinite: the network's own arithmetic broke down.",
            "See that its weights are finite and its inputs normalised as it was trained on; try float32 or float64.",
            math.nan,
        )


def true_zero(e: Explanation, row: int) -> Iterator[Diagnosis]:
    if float(e.signed[row].abs().max()) == 0:
        yield Diagnosis(
            "true zero",
            "The map is exactly 0 everywhere: no unit of the layer has any gradient or change.",
            "Try a Probability target (its gradient is exact), a path method, or another layer or class.",
            0.0,
        )


def only_negative(e: Explanation, row: int) -> Iterator[Diagnosis]:
    low, high = float(e.signed[row].min()), float(e.signed[row].max())
    if e.method.rectified and low < 0 and high <= 0:
        yield Diagnosis(
            "only negative evidence",
            f"Every place speaks against the class (from {low:.3g} to {high:.3g}), and ReLU cuts that to 0.",
            "Look at .signed, at another layer, or at the class that is predicted.",
            low,
        )


def saturated(e: Explanation, row: int) -> Iterator[Diagnosis]:
    score = float(e.score[row])
    probability = isinstance(e.target, Probability | Softmax)
    if probability and isinstance(e.method, EndpointMethod) and score > SATURATED:
        size = float(spread(e.raw)[row])
        dark = f" and the map's range {size:.2g} counts as dark at ε = {DARK:g}" if size < DARK else ""
        yield Diagnosis(
            "saturated output",
            f"The probability is {score:.6f}: its gradient has all but vanished{dark}.",
            "Use rsi_grad_cam, which integrates from the baseline, or target=Logit().",
            score,
        )


def dark(e: Explanation, row: int) -> Iterator[Diagnosis]:
    size = float(spread(e.raw)[row])
    if 0 < size < DARK:
        yield Diagnosis(
            "dark",
            f"The map's range is {size:.2g}, a dark heatmap at ε = {DARK:g}.",
            "Normalise without ε (the default) to see its shape; its values are right but tiny.",
            size,
        )


def cancelling(e: Explanation, row: int) -> Iterator[Diagnosis]:
    left = float(e.cancellation[row])
    if not math.isnan(left) and 0 < left < CANCELLED:
        yield Diagnosis(
            "cancellation",
            f"Channels for and against the class cancel: only {left:.1%} of their sum is left.",
            "Take units='positive' (rsi_grad_cam), a method without pooling (rsi_hires_cam), or another layer.",
            left,
        )


def coarse(e: Explanation, row: int) -> Iterator[Diagnosis]:
    error = float(e.error[row])
    if not isinstance(e.method, PathMethod) or math.isnan(error):
        return
    if not bool(e.converged[row]):
        yield Diagnosis(
            "path too coarse",
            f"After {int(e.passes[row])} passes the estimated error is {error:.3g}, above {e.tolerance:g}.",
            "Raise max_passes, or the tolerance.",
            error,
        )
    elif e.tolerance is None and error > COARSE:
        yield Diagnosis(
            "path too coarse",
            f"Doubling the steps last moved the map by {error:.3g} on average.",
            "Take more steps, rule='trapezoid', or a tolerance.",
            error,
        )


def incomplete(e: Explanation, row: int) -> Iterator[Diagnosis]:
    change = float(e.score[row]) - float(e.baseline_score[row])
    residual = float(e.residual[row])
    if math.isnan(residual) or change == 0 or abs(residual / change) <= RESIDUE:
        return
    share = abs(residual / change)
    if e.is_cut or e.method.walk == "layer":  # along a layer's own path no way leads past it
        yield Diagnosis(
            "incomplete",
            f"The integrals miss {share:.1%} of the score's change along the path.",
            "Take more steps or a smaller tolerance.",
            share,
        )
    else:
        yield Diagnosis(
            "wrong layer",
            f"{e.layer!r} is no cut of the network: other ways pass it by, and carry {share:.0%} of the change.",
            "Take the end of the block around it, so that the whole score is explained.",
            share,
        )


def too_small(e: Explanation, row: int) -> Iterator[Diagnosis]:  # noqa: ARG001 - the same for all images
    height, width = e.raw.shape[-2:]
    if height * width < 9:
        yield Diagnosis(
            "wrong layer",
            f"{e.layer!r} is only {height}×{width}: hardly a place can be told.",
            "Take an earlier layer.",
            float(height * width),
        )


def misshapen(e: Explanation, row: int) -> Iterator[Diagnosis]:  # noqa: ARG001 - the same for all images
    height, width = e.raw.shape[-2:]
    if not alike((height, width), e.size):
        yield Diagnosis(
            "wrong layer",
            f"{e.layer!r} is {height}×{width}, the image {e.size[0]}×{e.size[1]}: are these places of the image?",
            "Take a layer whose height and width are those of the image, divided by its stride.",
            height / width,
        )


LOOKS: tuple[Callable[[Explanation, int], Iterator[Diagnosis]], ...] = (
    not_a_number,
    true_zero,
    only_negative,
    saturated,
    dark,
    cancelling,
    coarse,
    incomplete,
    too_small,
    misshapen,
)
