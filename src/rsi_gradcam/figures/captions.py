"""What a picture says in words: method, layer, class, score, and how far the map can be trusted."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields

from rsi_gradcam.diagnosis import diagnose
from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.explanation import Explanation
from rsi_gradcam.heatmap import spread
from rsi_gradcam.methods.base import Method, PathMethod
from rsi_gradcam.targets import Logit, LogProbability, Margin, Probability, Softmax, Target, ThroughUnit, Unit
from rsi_gradcam.zoo.network import Network

SPELT = {  # as their papers spell them; the others are plain words
    "cam": "CAM",
    "grad_cam": "Grad-CAM",
    "grad_cam_plus_plus": "Grad-CAM++",
    "guided_grad_cam": "Guided Grad-CAM",
    "hires_cam": "HiResCAM",
    "integrated_grad_cam": "Integrated Grad-CAM",
    "integrated_gradients": "Integrated Gradients",
    "layer_cam": "LayerCAM",
    "lime": "LIME",
    "rsi_grad_cam": "RSI-Grad-CAM",
    "rsi_hires_cam": "RSI-HiResCAM",
    "score_cam": "Score-CAM",
    "x_grad_cam": "XGrad-CAM",
}
SCORES: tuple[tuple[type[Target], str], ...] = (
    (Probability, "probability"),
    (Softmax, "probability"),
    (LogProbability, "log-probability"),
    (Logit, "logit"),
    (Margin, "margin"),
)


def method_title(method: Method) -> str:
    """The paper's name of a method, and what of it is not as usual.

    >>> from rsi_gradcam import RSIGradCAM
    >>> method_title(RSIGradCAM(units="positive"))
    'RSI-Grad-CAM (units=positive)'
    """
    title = SPELT.get(method.name, method.name.replace("_", " ").capitalize())
    own = ", ".join(f"{name}={value}" for name, value in unusual(method).items())
    return f"{title} ({own})" if own else title


def unusual(method: Method) -> dict[str, object]:
    """The parameters that are not at their defaults."""
    found = {}
    for each in fields(method):  # type: ignore[arg-type]
        usual = each.default if each.default_factory is MISSING else each.default_factory()
        value = getattr(method, each.name)
        if value != usual:
            found[each.name] = value
    return found


def layer_title(layer: str, network: Network | None = None) -> str:
    """The layer's friendly name where it has one, and its path."""
    friendly = {path: name for name, path in network.layers.items()} if network else {}
    name = friendly.get(layer, layer)
    return name if name == layer else f"{name} ({layer})"


def class_name(explanation: Explanation, row: int, network: Network | None = None) -> str:
    """The explained class by its name or number; for other targets what they are."""
    classes = explanation.classes
    index = classes[row] if classes else None
    if isinstance(target := explanation.target, Unit):
        return f"unit ({', '.join(map(str, target.unit))}) of {target.layer}"
    if index is None:
        return repr(target)
    return network.categories[index] if network else f"class {index}"


def score_name(target: Target) -> str:
    if isinstance(target, ThroughUnit):
        return score_name(target.of)
    return next((name for kind, name in SCORES if isinstance(target, kind)), "score")


def score_text(explanation: Explanation, row: int) -> str:
    """A probability in percent, any other score with its name."""
    value, name = float(explanation.score[row]), score_name(explanation.target)
    return f"{100 * value:.3g}%" if name == "probability" else f"{name} {value:.4g}"


def class_title(explanation: Explanation, row: int, network: Network | None = None) -> str:
    return f"{class_name(explanation, row, network)}, {score_text(explanation, row)}"


def place_title(explanation: Explanation, network: Network | None = None) -> str:
    return f"{method_title(explanation.method)} at {layer_title(explanation.layer, network)}"


def passes(explanation: Explanation, row: int) -> str:
    count = int(explanation.passes[row])
    return f"{count} pass" if count == 1 else f"{count} passes"


def trust(explanation: Explanation, row: int) -> list[str]:
    """How far the map can be trusted: its error and its residual, where the method has them."""
    if not isinstance(explanation.method, PathMethod):
        return []
    error, share = float(explanation.error[row]), residual_share(explanation, row)
    said = [f"error {error:.2g}" if math.isfinite(error) else "error not known"]
    return said if share is None else [*said, f"residual {signed_percent(share)}"]


def signed_percent(share: float) -> str:
    """
    >>> signed_percent(-0.0234), signed_percent(1.604), signed_percent(-1e-5)
    ('−2.3%', '+160%', 'under 0.1%')
    """
    if abs(share) < 0.0005:
        return "under 0.1%"
    return (f"{share:+.1%}" if abs(share) < 0.1 else f"{share:+.0%}").replace("-", "−")


def residual_share(explanation: Explanation, row: int) -> float | None:
    """The residual as a share of the score's change along the path."""
    residual = float(explanation.residual[row])
    change = float(explanation.score[row] - explanation.baseline_score[row])
    return None if math.isnan(residual) or change == 0 else residual / change


def warnings(explanation: Explanation, row: int) -> list[str]:
    """What is wrong with the map, in a word or two each."""
    causes = [found.cause for found in diagnose(explanation, row)]
    if bool(explanation.is_dark()[row]) and "dark" not in causes:
        causes.insert(0, "dark")
    size = float(spread(explanation.raw)[row])
    return [f"dark map, range {size:.1g}" if cause == "dark" else cause for cause in dict.fromkeys(causes)]


def check_row(explanation: Explanation, row: int) -> None:
    count = len(explanation.raw)
    if not 0 <= row < count:
        raise ConfigurationError(f"row {row} does not exist: the explanation holds {count} image(s), from 0")
